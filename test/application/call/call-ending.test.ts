import { expect, it } from "vitest";
import { askToHangUp } from "../../../application/call/call-ending.ts";
import type { Carrier } from "../../../application/ports/carrier.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { QUIET_CARRIER } from "../engine-world.ts";

it("gives the carrier the wish to hang up before anything else can be done", async () => {
  const order: string[] = [];
  const telephony: Carrier = {
    ...QUIET_CARRIER,
    placeCall: () => Promise.reject(new Error("not asked for")),
    lookup: () => Promise.reject(new Error("not asked for")),
    callsSince: async () => ({ kind: "no_witness" }),
    available: async () => true,
    hangUp: async () => {
      order.push("hang-up");
      return "done";
    },
  };
  const asked = askToHangUp({ logger: silentLogger }, telephony, {
    callId: "call_1",
    carrierRef: null,
    instance: null,
    dialBy: "2026-09-01T10:00:15.000Z",
  });
  order.push("end recorded");
  await asked;
  expect(order).toEqual(["hang-up", "end recorded"]);
});
