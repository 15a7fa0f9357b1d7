import { setImmediate as afterAll } from "node:timers/promises";
import { expect, it } from "vitest";
import { DEFAULT_MODEL_CONNECTION } from "../../../application/ports/configuration/connections.ts";
import { createTurnGates } from "../../../application/rehearsal/turn-gate.ts";
import type { ConnectionId } from "../../../domain/shared/ids.ts";
import { movingClock } from "../../support/moving-clock.ts";

const OWN: ConnectionId = "conn_own";
const NEVER = new AbortController().signal;

function world() {
  const clock = movingClock();
  const talked = new Set<ConnectionId | null>();
  const gates = createTurnGates({
    clock,
    calm: async () => undefined,
    talkedWith: () => talked,
  });
  const isOver = async (waiting: Promise<void>): Promise<boolean> =>
    Promise.race([waiting.then(() => true), afterAll(false)]);
  return { clock, talked, gates, isOver };
}

it("lets a turn begin at once where nobody is in the way", async () => {
  const { gates, isOver } = world();
  const run = gates.enter([null, OWN]);
  expect(await isOver(run.mayBegin(null, NEVER))).toBe(true);
  expect(gates.closed()).toEqual([]);
});

it("keeps a throttled connection shut for what its server said, and 5 s when it said nothing", async () => {
  const { gates, clock, isOver } = world();
  const run = gates.enter([null, OWN]);
  run.throttled(OWN, 30_000);
  run.throttled(null, null);
  expect(gates.closed()).toEqual([OWN, DEFAULT_MODEL_CONNECTION, null]);
  const [own, installations] = [run.mayBegin(OWN, NEVER), run.mayBegin(null, NEVER)];
  clock.advance(4_999);
  expect(await isOver(installations)).toBe(false);
  clock.advance(250);
  expect([await isOver(installations), await isOver(own)]).toEqual([true, false]);
  expect(gates.closed()).toEqual([OWN]);
  clock.advance(30_000);
  expect([await isOver(own), gates.closed()]).toEqual([true, []]);
});

it("lets one run ask beside a live conversation, and the next when it has ended", async () => {
  const { gates, talked, clock, isOver } = world();
  talked.add(OWN);
  expect(gates.closed()).toEqual([]);
  const [first, second, elsewhere] = [gates.enter([OWN]), gates.enter([OWN]), gates.enter([null])];
  expect(gates.closed()).toEqual([OWN]);
  const waiting = second.mayBegin(OWN, NEVER);
  expect(await isOver(first.mayBegin(OWN, NEVER))).toBe(true);
  expect(await isOver(elsewhere.mayBegin(null, NEVER))).toBe(true);
  clock.advance(60_000);
  expect(await isOver(waiting)).toBe(false);
  first.leave();
  clock.advance(250);
  expect(await isOver(waiting)).toBe(true);
  second.leave();
  expect(gates.closed()).toEqual([]);
});

it("opens when the conversation is over, and for a run that is stopped", async () => {
  const { gates, talked, clock, isOver } = world();
  talked.add(null);
  gates.enter([DEFAULT_MODEL_CONNECTION]);
  const [second, third] = [gates.enter([null]), gates.enter([null])];
  const stop = new AbortController();
  const [stopped, waiting] = [second.mayBegin(null, stop.signal), third.mayBegin(null, NEVER)];
  stop.abort();
  expect([await isOver(stopped), await isOver(waiting)]).toEqual([true, false]);
  talked.clear();
  clock.advance(250);
  expect(await isOver(waiting)).toBe(true);
});

it("gives the place of a run that stands at a throttled connection to others, and a free one back to it", async () => {
  const { gates, clock, isOver } = world();
  const [run, ...others] = Array.from({ length: 10 }, (_, place) => gates.enter([place === 0 ? OWN : null]));
  run?.throttled(OWN, 30_000);
  expect(gates.standing()).toBe(0);
  const waiting = run?.mayBegin(OWN, NEVER) ?? Promise.reject(new Error("no run"));
  expect(gates.standing()).toBe(1);
  const instead = gates.enter([null]);
  clock.advance(30_250);
  expect([await isOver(waiting), gates.standing()]).toEqual([false, 0]);
  others[4]?.leave();
  clock.advance(250);
  expect(await isOver(waiting)).toBe(true);
  instead.throttled(null, 1_000);
  void instead.mayBegin(null, NEVER);
  expect(gates.standing()).toBe(1);
  instead.leave();
  expect(gates.standing()).toBe(0);
});
