import { expect, it } from "vitest";
import type { Clock } from "../../application/ports/clock.ts";
import { createSteadyTime } from "../../application/steady-time.ts";
import { movingClock } from "../support/moving-clock.ts";

/** The wall clock can be moved apart from the other one. */
function jumpingClock() {
  const moving = movingClock();
  let jumped = 0;
  const clock: Clock = { ...moving, nowMillis: () => moving.nowMillis() + jumped };
  return { clock, advance: moving.advance, jump: (millis: number) => (jumped += millis) };
}

it("grows with the time that passes, from the start of the process on", () => {
  const { clock, advance } = jumpingClock();
  const steadyMillis = createSteadyTime(clock);
  advance(25_000);
  expect(steadyMillis()).toBe(25_000);
});

it.each([7_200_000, -300_000])("begins again when the wall clock jumps by %d ms", (millis) => {
  const { clock, advance, jump } = jumpingClock();
  const steadyMillis = createSteadyTime(clock);
  advance(25_000);
  jump(millis);
  expect(steadyMillis()).toBe(0);
  advance(5_000);
  expect(steadyMillis()).toBe(5_000);
});

it("does not mind a clock that is set right by less than a second", () => {
  const { clock, advance, jump } = jumpingClock();
  const steadyMillis = createSteadyTime(clock);
  advance(25_000);
  jump(900);
  expect(steadyMillis()).toBe(25_000);
});
