import { expect, it } from "vitest";
import { FIRST_SEED } from "../support/seeds.ts";
import { rehearsedAgain } from "./rehearsed-again.ts";

/** One is enough to repeat a seed. */
const CALLS = Number(process.env["REHEARSED_CALLS"] ?? 1_000);

/** What is among so many calls, so that none of it goes unproved. */
const AMONG_THEM = [
  ["words that were cut", /^\["assistant","answer",\d+,"[^"]+","/],
  ["keys", /\[keys: /],
  ["silence", /^\["assistant","prompt"/],
  ["a tool", /^\["tool",.*"look_up_account"/],
  ["a filler", /^\["assistant","filler"/],
  ["a handoff", /^\["assistant","handoff"/],
  ["the longest duration", /^max_duration/],
  ["a transfer", /^transferred/],
  ["who hung up", /^customer_ended/],
  ["who did not answer", /^silence_timeout/],
] as const;

it(`${CALLS} simulated calls are the same when they are rehearsed, from seed ${FIRST_SEED} on`, {
  timeout: 600_000,
}, async () => {
  const seen = new Set<string>();
  let seed = FIRST_SEED;
  for (let compared = 0; compared < CALLS; seed += 1) {
    const again = `SIMULATION_SEED=${seed} REHEARSED_CALLS=1 npx vitest run rehearsed-again.test.ts`;
    const both = await rehearsedAgain(seed);
    if (both === null) continue;
    compared += 1;
    expect(both.again, again).toEqual(both.call);
    for (const line of both.call) for (const [what, sign] of AMONG_THEM) if (sign.test(line)) seen.add(what);
  }
  if (CALLS >= 1_000) expect([...seen].sort()).toEqual(AMONG_THEM.map(([what]) => what).sort());
});
