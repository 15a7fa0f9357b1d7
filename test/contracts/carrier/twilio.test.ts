import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import type { Outcome } from "../../../simulation/callee/outcome.ts";
import { startTwilioHost } from "../../support/carriers/twilio-host.ts";
import { carrierContract } from "./carrier-contract.ts";
import type { Callee, CarrierWorld, Refusal } from "./carrier-world.ts";

const CALLEES: Readonly<Record<Callee, Outcome>> = {
  talks: "never_hangs_up",
  rings: "rings_for_ever",
  hangs_up: "hangs_up",
};
const REFUSALS: Partial<Readonly<Record<Refusal, Outcome>>> = {
  busy: "busy",
  declined: "declined",
  no_answer: "no_answer",
  invalid_number: "invalid_number",
  unreachable: "unreachable",
  carrier_error: "carrier_error",
};

const FAULTS = {
  lost_reply: "lostReply",
  slow_reply: "slowReply",
  untold_recording: "recordingLost",
} as const;

async function openWorld(): Promise<CarrierWorld> {
  const outcomes = new Map<string, Outcome>();
  const host = await startTwilioHost({ speed: 20, outcome: (to) => outcomes.get(to) });
  let numbers = 0;
  const numberWith = (outcome: Outcome): PhoneNumber => {
    numbers += 1;
    const number = `+1212555${String(numbers).padStart(4, "0")}` as const;
    outcomes.set(number, outcome);
    return number;
  };
  return {
    carrier: () => host.open().carrier,
    events: host.events,
    refuseEvents: host.refuseEvents,
    numberOf: (callee) => numberWith(CALLEES[callee]),
    refusedNumber: (refusal) => {
      if (refusal === "permission_denied") return "+19005550100";
      const outcome = REFUSALS[refusal];
      return outcome === undefined ? null : numberWith(outcome);
    },
    meets: (fault) => host.fake.faults.next(FAULTS[fault]),
    rings: async ({ callId }) => (await host.journal()).filter((entry) => entry.callId === callId).length,
    restart: host.restart,
    close: host.stop,
  };
}

carrierContract("Twilio, played by the fake", openWorld);
