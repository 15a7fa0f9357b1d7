import type { Carrier, OpenCarrier } from "../../application/ports/carrier.ts";
import type { Speech } from "../../application/ports/speech.ts";
import { openAsterisk } from "./asterisk/open-asterisk.ts";
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

/** Each adapter takes its own line here. */
export function carrierFactories({ speech }: CarrierParts): CarrierFactories {
  return {
    twilio: async () => notBuiltIn("twilio"),
    asterisk: async (options) => openAsterisk({ ...options, speech: await speech() }),
  };
}

/** Dials nobody, and its check says why. */
function notBuiltIn(kind: "twilio"): OpenCarrier {
  const detail = `The adapter for ${kind} is not built in`;
  const carrier: Carrier = {
    kind,
    can: {
      dialOnceForMillis: 0,
      answersMachineVerdict: false,
      records: false,
      resumes: false,
      callsPerSecond: null,
    },
    instance: async () => null,
    placeCall: async () => ({
      kind: "rejected",
      endReason: "not_placed",
      carrierCode: null,
      message: detail,
      noAnswerAtAll: true,
    }),
    hangUp: async () => "unknown",
    lookup: async () => ({ kind: "ambiguous" }),
    callsSince: async () => ({ kind: "no_witness" }),
    recording: async () => ({ kind: "unavailable", cause: detail }),
    deleteRecording: async () => "unavailable",
    available: async () => false,
  };
  return {
    carrier,
    sockets: [],
    requests: [],
    check: async () => [{ name: "built in", ok: false, detail }],
    leave: () => undefined,
    stop: async () => undefined,
  };
}
