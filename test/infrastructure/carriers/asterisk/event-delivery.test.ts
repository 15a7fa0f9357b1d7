import { expect, it } from "vitest";
import type { CarrierEvent } from "../../../../application/ports/carrier.ts";
import {
  createEventDelivery,
  type Telling,
} from "../../../../infrastructure/carriers/asterisk/line/event-delivery.ts";
import { eventually } from "../../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../../simulation/memory/silent.ts";
import { movingClock } from "../../../support/moving-clock.ts";

const RINGING: Telling = { type: "ringing", dedupeKey: "r", occurredAt: "2026-09-01T10:00:00.000Z" };
const ANSWERED: Telling = {
  type: "answered",
  answeredBy: "unknown",
  dedupeKey: "a",
  occurredAt: "2026-09-01T10:00:05.000Z",
};

function delivery(refusals: number) {
  const clock = movingClock();
  const offered: string[] = [];
  const taken: string[] = [];
  let left = refusals;
  const sink = async ({ callId, type }: CarrierEvent) => {
    offered.push(`${callId} ${type}`);
    if (callId === "call_1" && left > 0) {
      left -= 1;
      throw new Error("the log is away");
    }
    taken.push(`${callId} ${type}`);
  };
  return { clock, offered, taken, ...createEventDelivery({ sink, clock, logger: silentLogger }) };
}

it("what comes after an event that is not taken waits for it, and other calls do not", async () => {
  const { clock, offered, taken, tell, settled } = delivery(3);
  const all = [tell("call_1", RINGING), tell("call_1", ANSWERED), tell("call_2", RINGING)];
  await eventually("three refusals", () => {
    clock.advance(1_000);
    return taken.includes("call_1 ringing");
  });
  expect(await Promise.all(all)).toEqual([true, true, true]);
  await settled("call_1");
  expect(taken).toEqual(["call_2 ringing", "call_1 ringing", "call_1 answered"]);
  expect(offered.filter((each) => each === "call_1 ringing")).toHaveLength(4);
  expect(offered.filter((each) => each === "call_1 answered")).toHaveLength(1);
});

it("an event that is given up after 10 minutes does not hold up the next one", async () => {
  const { clock, taken, tell } = delivery(Number.POSITIVE_INFINITY);
  const first = tell("call_1", RINGING);
  let isOver = false;
  void first.then(() => {
    isOver = true;
  });
  await eventually("the first to be given up", () => {
    clock.advance(60_000);
    return isOver;
  });
  expect(await first).toBe(false);
  expect(taken).toEqual([]);
});
