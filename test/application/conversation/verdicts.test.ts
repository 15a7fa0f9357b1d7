import { expect, it } from "vitest";
import { watchVerdicts } from "../../../application/conversation/verdicts.ts";
import type { Calls } from "../../../application/log/aggregates.ts";
import type { SessionKind } from "../../../domain/call/conversation-events.ts";
import type { Input } from "../../../domain/conversation/inputs.ts";
import { conversationWorld, until } from "../../support/conversation/conversation-world.ts";
import { keptLines } from "./kept-lines.ts";

/**
 * Watches an answered call; what others append comes from another process. `fails`: so many looks at first.
 */
async function watched({ kind = "relay", fails = 0 }: { kind?: SessionKind; fails?: number } = {}) {
  const world = await conversationWorld({ answeredBy: "unknown" });
  const { clock, stream, origin, request } = world;
  const logger = keptLines();
  const over = Promise.withResolvers<void>();
  const told: (Input & { readonly at: number })[] = [];
  const looks: number[] = [];
  const query: Calls["query"] = (...given) => {
    looks.push(clock.elapsed());
    if (looks.length <= fails) return Promise.reject(new Error("the log is away"));
    return world.aggregates.calls.query(...given);
  };
  const tell = (input: Input) => void told.push({ ...input, at: clock.elapsed() });
  const calls = { ...world.aggregates.calls, query };
  const done = watchVerdicts({ calls, clock, logger }, request.callId, kind, { tell, over: over.promise });
  const elsewhere = world.startProcess().aggregates.calls;
  const append = (...commands: Parameters<Calls["handle"]>[1]) =>
    until(clock, elsewhere.handle(stream, commands, origin));
  const judge = (
    answeredBy: "machine" | "human",
    by: "carrier" | "sound" = "carrier",
    greetingEnded = false,
  ) => {
    const now = clock.now();
    const verdict = { answeredBy, by, greetingEnded, policyApplied: null, occurredAt: now, now };
    return append({ type: "RecordMachineJudged", ...verdict });
  };
  const wish = () => append({ type: "RequestEnd", by: "api", reason: "api", now: clock.now() });
  return { pass: world.pass, clock, logger, told, looks, judge, wish, done, over: () => over.resolve() };
}

const verdict = { type: "machine_judged", by: "carrier" } as const;

it("a verdict of the carrier that another process recorded is told within a second, and once", async () => {
  const { pass, told, judge, logger, looks } = await watched();
  await pass(2_500);
  expect([told, looks]).toEqual([[], [1_000, 2_000]]);
  await judge("machine");
  await pass(5_000);
  expect(told).toEqual([
    { ...verdict, answeredBy: "machine", policyApplied: "hang_up", greetingEnded: false, at: 3_000 },
  ]);
  expect(logger.lines).toEqual([]);
});

it("a verdict that the carrier changes is told again", async () => {
  const { pass, told, judge } = await watched();
  await judge("machine");
  await pass(1_500);
  await judge("machine", "carrier", true);
  await pass(1_000);
  await judge("human", "carrier", true);
  await pass(5_000);
  expect(told).toEqual([
    { ...verdict, answeredBy: "machine", policyApplied: "hang_up", greetingEnded: false, at: 1_000 },
    { ...verdict, answeredBy: "machine", policyApplied: "hang_up", greetingEnded: true, at: 2_000 },
    { ...verdict, answeredBy: "human", policyApplied: null, greetingEnded: true, at: 3_000 },
  ]);
});

it("a verdict by the sound of the line is the conversation's own, and is not told to it", async () => {
  const { pass, told, judge } = await watched();
  await judge("machine", "sound");
  await pass(3_000);
  expect(told).toEqual([]);
});

it("somebody's wish for the end is told, and nobody looks any more", async () => {
  const { pass, told, looks, wish, done } = await watched();
  await pass(1_500);
  await wish();
  await pass(5_000);
  await done;
  expect([told, looks]).toEqual([[{ type: "end_wished", at: 2_000 }], [1_000, 2_000]]);
});

it("looks only in the first minute of a conversation", async () => {
  const { pass, told, looks, judge, done } = await watched();
  await pass(60_500);
  await judge("machine");
  await pass(10_000);
  await done;
  expect([looks.length, looks.at(-1), told]).toEqual([60, 60_000, []]);
});

it("looks no more once the conversation is over", async () => {
  const { pass, looks, over, done, clock } = await watched();
  await pass(1_500);
  over();
  await done;
  expect([clock.elapsed(), looks]).toEqual([1_500, [1_000]]);
});

it("never looks for a session without a carrier behind it", async () => {
  const { pass, looks, done } = await watched({ kind: "in_process" });
  await pass(3_000);
  await done;
  expect(looks).toEqual([]);
});

it("looks again when the log was away, and says so", async () => {
  const { pass, told, judge, logger } = await watched({ fails: 2 });
  await judge("machine");
  await pass(4_000);
  expect(told.map(({ at }) => at)).toEqual([3_000]);
  expect(logger.lines).toEqual(
    [1, 2].map(() => ({
      level: "warn",
      message: "a verdict could not be looked for; looked for again",
      fields: { callId: "call_1", error: expect.any(Error) },
    })),
  );
});
