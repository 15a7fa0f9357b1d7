import type { OpenCarrier } from "../../application/ports/carrier.ts";
import type { Speech } from "../../application/ports/speech.ts";
import type { OpenAsteriskOptions, OpenTwilioOptions } from "./open-carrier-options.ts";

/**
 * Opens a connection by its kind. Does not wait for the other side and does not reject because of it: the
 * open carrier reports its problems.
 */
export type CarrierFactories = {
  readonly twilio: (options: OpenTwilioOptions) => Promise<OpenCarrier>;
  readonly asterisk: (options: OpenAsteriskOptions) => Promise<OpenCarrier>;
};

/** Parts that only some adapters need. */
export type CarrierParts = {
  /** For carriers with audio; null: no speech engine is configured. */
  readonly speech: () => Promise<Speech | null>;
};

/** A client library is loaded only when its adapter is used. */
export function carrierFactories({ speech }: CarrierParts): CarrierFactories {
  return {
    twilio: async (options) => (await import("./twilio/open-twilio.ts")).openTwilio(options),
    asterisk: async (options) =>
      (await import("./asterisk/open-asterisk.ts")).openAsterisk({ ...options, speech: await speech() }),
  };
}
