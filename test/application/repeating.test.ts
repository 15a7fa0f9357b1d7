import { describe, expect, it } from "vitest";
import type { Clock } from "../../application/ports/clock.ts";
import { repeatUntilStopped, retryUntilDone } from "../../application/repeating.ts";

const PAUSES = { first: 100, longest: 350 };

/** Sleeps end at once and are written down. */
function noted(): { readonly slept: number[]; readonly clock: Pick<Clock, "sleep"> } {
  const slept: number[] = [];
  return { slept, clock: { sleep: async (millis) => void slept.push(millis) } };
}

describe("retryUntilDone", () => {
  it("answers what the first try that succeeds answers, after pauses that grow up to the longest", async () => {
    const { slept, clock } = noted();
    const told: (readonly [unknown, number])[] = [];
    let tries = 0;
    const answer = await retryUntilDone(
      {
        clock,
        pauses: PAUSES,
        signal: new AbortController().signal,
        onFailure: (error, pause) => told.push([error, pause]),
      },
      async () => {
        tries += 1;
        if (tries <= 4) throw `failure ${tries}`;
        return tries;
      },
    );
    expect(answer).toBe(5);
    expect(slept).toEqual([100, 200, 350, 350]);
    expect(told).toEqual(slept.map((pause, index) => [`failure ${index + 1}`, pause]));
  });

  it("rejects with what its listener throws, without another try", async () => {
    const { slept, clock } = noted();
    const stop = new AbortController();
    const onFailure = (error: unknown) => {
      throw error;
    };
    const tried = retryUntilDone({ clock, pauses: PAUSES, signal: stop.signal, onFailure }, () =>
      Promise.reject(new Error("for good")),
    );
    await expect(tried).rejects.toThrow("for good");
    expect(slept).toEqual([]);
  });

  it("ends without an answer when it is to stop: before the first try, or in a pause", async () => {
    const { clock } = noted();
    const stop = new AbortController();
    let tries = 0;
    const fail = async () => {
      tries += 1;
      throw new Error("away");
    };
    const onFailure = () => stop.abort();
    const retrying = { clock, pauses: PAUSES, signal: stop.signal, onFailure };
    expect(await retryUntilDone(retrying, fail)).toBeUndefined();
    expect(await retryUntilDone(retrying, fail)).toBeUndefined();
    expect(tries).toBe(1);
  });
});

describe("repeatUntilStopped", () => {
  it("goes on after a round that failed, and pauses behind each round but the last", async () => {
    const stop = new AbortController();
    const told: unknown[] = [];
    let rounds = 0;
    let pauses = 0;
    await repeatUntilStopped(
      {
        signal: stop.signal,
        pause: async () => {
          pauses += 1;
        },
        onFailure: (error) => told.push(error),
      },
      async () => {
        rounds += 1;
        if (rounds === 3) stop.abort();
        if (rounds === 2) throw "away";
      },
    );
    expect([rounds, pauses, told]).toEqual([3, 2, ["away"]]);
  });
});
