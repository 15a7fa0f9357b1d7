import {
  type CarrierHarness,
  carrierProgram,
  inProcessCarrier,
} from "../../simulation/carrier/carrier-harness.ts";
import type { Callee, CarrierWorld, Refusal } from "./carrier-world.ts";

const SPEED = 200;
/** +1 500 555 00NN act on purpose (docs/api.md §9). */
const CALLEES: Readonly<Record<Callee, string>> = { talks: "11", rings: "10", hangs_up: "06" };
const REFUSALS: Partial<Readonly<Record<Refusal, string>>> = {
  busy: "02",
  declined: "04",
  no_answer: "03",
  invalid_number: "01",
  carrier_error: "07",
};

/**
 * The simulated carrier inside the process, or as a program of its own, which nothing stands before
 * that could lose a reply.
 */
export async function simulatedWorld(form: "in process" | "over http"): Promise<CarrierWorld> {
  let harness: CarrierHarness = await (form === "in process"
    ? inProcessCarrier(SPEED)
    : carrierProgram(SPEED));
  return {
    carrier: () => harness.telephony,
    events: harness.events,
    refuseEvents: (count) => harness.refuse(count),
    numberOf: (callee) => `+150055500${CALLEES[callee]}`,
    refusedNumber: (refusal) => {
      const last = REFUSALS[refusal];
      return last === undefined ? null : `+150055500${last}`;
    },
    meets: null,
    rings: async ({ callId }) => {
      const entries = await harness.journal();
      return entries.filter((entry) => entry.callId === callId).length;
    },
    restart: async () => {
      harness = await harness.restart();
    },
    close: () => harness.stop(),
  };
}
