import { beforeEach, expect, it } from "vitest";
import { createDueEnds, type DueEnds } from "../../../application/webhook/due-ends.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import { type MovingClock, movingClock } from "../../support/moving-clock.ts";
import { recordingLogger } from "../../support/recording-logger.ts";

const LONGEST = 15_000;

let clock: MovingClock;
let looks: number;
/** What a look answers, or fails with. */
let look: () => Promise<Instant | null>;
let dueEnds: DueEnds;
let stop: AbortController;

beforeEach(() => {
  clock = movingClock();
  stop = new AbortController();
  looks = 0;
  look = async () => null;
  const publishDueEnds = async () => {
    looks += 1;
    return look();
  };
  const { logger } = recordingLogger();
  dueEnds = createDueEnds(
    { publishing: { publishDueEnds }, clock, logger, longestWaitMillis: LONGEST },
    stop.signal,
  );
});

const inMillis = (millis: number): Instant => plusMillis(clock.now(), millis);

/** Everything that can run has run. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function advance(millis: number): Promise<number> {
  clock.advance(millis);
  await settled();
  return looks;
}

async function run(): Promise<{ readonly ended: Promise<void> }> {
  const ended = dueEnds.run();
  await settled();
  return { ended };
}

it("asks nothing for an end that is due no earlier than the next look", async () => {
  const { ended } = await run();
  for (let end = 0; end < 100; end += 1) {
    dueEnds.wait(inMillis(60_000));
    await settled();
  }
  expect(looks).toBe(1);
  expect(await advance(LONGEST - 1)).toBe(1);
  expect(await advance(1)).toBe(2);
  stop.abort();
  await ended;
});

it("looks when an end is due that is due before", async () => {
  await run();
  dueEnds.wait(inMillis(5_000));
  await settled();
  expect(looks).toBe(1);
  expect(await advance(4_999)).toBe(1);
  expect(await advance(1)).toBe(2);
});

it("looks at once for an end that is due already", async () => {
  await run();
  dueEnds.wait(inMillis(-1));
  await settled();
  expect(looks).toBe(2);
});

it("does not miss an end that begins to wait during a look", async () => {
  let answer = (_next: Instant | null) => {};
  look = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  await run();
  dueEnds.wait(inMillis(5_000));
  answer(inMillis(60_000));
  await settled();
  expect(await advance(5_000)).toBe(2);
});

it("looks again when the next is due, after a second at least, and after a failure", async () => {
  look = async () => inMillis(2_000);
  await run();
  expect(await advance(1_999)).toBe(1);
  look = async () => inMillis(0);
  expect(await advance(1)).toBe(2);
  look = () => Promise.reject(new Error("no database"));
  expect(await advance(999)).toBe(2);
  expect(await advance(1)).toBe(3);
  expect(await advance(1_000)).toBe(4);
});
