import type { OpenCarrier } from "../../application/ports/carrier.ts";
import type { CarrierDetails } from "../../application/ports/configuration/connections.ts";
import type { Speech } from "../../application/ports/speech.ts";
import type { OpenAsteriskOptions, OpenOptions, OpenTwilioOptions } from "./open-carrier-options.ts";

/**
 * Opens a connection by its kind. Does not wait for the other side and does not reject because of it: the
 * open carrier reports its problems.
 */
export type CarrierFactories = {
  readonly twilio: (options: OpenTwilioOptions) => Promise<OpenCarrier>;
  readonly asterisk: (options: OpenAsteriskOptions) => Promise<OpenCarrier>;
};

/** Opens `details` by the factory of their kind, which takes the one secret that they have. */
export function openByKind(
  factories: CarrierFactories,
  options: Omit<OpenOptions<unknown>, "settings" | "secret">,
  { kind, settings, secrets }: CarrierDetails,
): Promise<OpenCarrier> {
  switch (kind) {
    case "twilio":
      return factories.twilio({ ...options, settings, secret: secrets.authToken });
    case "asterisk":
      return factories.asterisk({ ...options, settings, secret: secrets.password });
  }
}

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
