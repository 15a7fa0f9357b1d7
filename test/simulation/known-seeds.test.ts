import { expect, it } from "vitest";
import { randomScenario } from "../../simulation/campaigns/random-scenario.ts";
import { runScenario } from "../../simulation/campaigns/run-scenario.ts";

/** Seeds that once failed, and what they found. They are never removed. */
const FOUND: readonly (readonly [number, string])[] = [
  [8, "the due loop was not told of new slots"],
  [333, "a campaign that was paused while it waited for credits woke itself for ever"],
  [747, "a second owner's dial was not taken over"],
  [995, "an outcome was lost between two owners"],
  [1370, "after a restart a late end overtook its call.started"],
  [3778, "a crash after a jump of the wall clock: a request on its way was taken for one that never left"],
  [24515, "the judge wanted dials of after a resume to have begun when the pause before it was answered"],
  [29663, "a crash between a recorded max_duration and the hang-up left the line open"],
  [29711, "a crash between a recorded no_answer and the hang-up left the line open"],
  [37505, "the judge wanted a promised retry to fit a budget that was lowered afterwards"],
  [45282, "a resume where the lease had been lost, and given up elsewhere, left the campaign to nobody"],
  [71535, "after a jump of the wall clock a request still on its way was taken for one that never left"],
  [
    1000802,
    "the clock was set back behind a recorded dial: pause and resume were 503 until it had caught up",
  ],
  [1003927, "the same with a cancel"],
  [1908103345, "the same with two processes"],
  [
    7008255,
    "an end by a deadline was appended before its hang-up had been handed to the carrier, and a crash came in between",
  ],
  [
    510001380,
    "an analysis that was told counted as the end of another call, so that the run ended too early",
  ],
  [1352, "a cap that only a grant without an event had filled held a contact until tomorrow"],
  [1170, "a campaign whose address was silent waited for ever once all its contacts were on a list"],
  [2000326, "of two policies that were asked for while nothing ran, the earlier one came to stay"],
  [
    3003839,
    "seventeen people, twelve of one number, three dials of it a month: a run of 150 days ended too early",
  ],
  [3000963, "a hold by a campaign's own address, without any policy, counted as one too many"],
  [1396, "the audit took the earlier of two dials judged in one millisecond for the later"],
  [1198845813, "two processes asked the address about one contact: one was told no, and the other dialled"],
  [482282966, "call.ended of an agreed callback told nothing of it: nobody had decided for five minutes"],
];

for (const [seed, what] of FOUND) {
  it(`holds in seed ${seed}, which found: ${what}`, async () => {
    expect((await runScenario(randomScenario(seed))).violations).toEqual([]);
  });
}
