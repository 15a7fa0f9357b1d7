import type { OpenCarrier } from "../../application/ports/carrier.ts";
import type { Speech } from "../../application/ports/speech.ts";
import type { OpenAsteriskOptions, OpenTwilioOptions } from "./open-carrier-options.ts";

/**
 * How a connection is opened, by its kind. Does not wait for the far side and does not reject for it: what is wrong over there is what the open carrier
 * answers.
 */
export type CarrierFactories = {
  readonly twilio: (options: OpenTwilioOptions) => Promise<OpenCarrier>;
  readonly asterisk: (options: OpenAsteriskOptions) => Promise<OpenCarrier>;
};

/** What some adapters need and others do not. */
export type CarrierParts = {
  /** For carriers that bring sound; null: nothing can speak. */
  readonly speech: () => Promise<Speech | null>;
};

/** Only who uses an adapter waits for its client. */
export function carrierFactories({ speech }: CarrierParts): CarrierFactories {
  return {
    twilio: async (options) => (await import("./twilio/open-twilio.ts")).openTwilio(options),
    asterisk: async (options) =>
      (await import("./asterisk/open-asterisk.ts")).openAsterisk({ ...options, speech: await speech() }),
  };
}
