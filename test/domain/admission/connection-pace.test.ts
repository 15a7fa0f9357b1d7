import { describe, expect, it } from "vitest";
import { endSlowing, isHeldUp, slow } from "../../../domain/admission/connection-pace.ts";
import type { ConnectionBook } from "../../../domain/admission/shared-book.ts";

const NOW = 1_000_000;

function connection(): ConnectionBook {
  return {
    ...{ key: "conn_1", kind: "twilio", audio: false, callsPerSecond: 10, maxConcurrentCalls: null, live: 0 },
    ...{ nextTurn: NOW, aheadTurns: [], slowed: 0, slowedUntil: 0, changed: false },
  };
}

/** How far each report of too much to do moves the next turn, reported at these moments after the first. */
function slowings(moments: readonly number[], retryAfterMillis = 0): number[] {
  const book = connection();
  return moments.map((moment) => {
    slow(book, retryAfterMillis, NOW + moment);
    return book.slowed;
  });
}

describe("a connection whose carrier has too much to do", () => {
  it("waits twice as long each time, between a second and a minute", () => {
    expect(slowings([0, 1_000, 3_000, 7_000, 15_000, 31_000, 63_000, 123_000])).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
    ]);
    expect(slowings([0], 5_000)).toEqual([5_000]);
    expect(slowings([0], 600_000)).toEqual([60_000]);
  });

  it("takes reports of one moment for one", () => {
    expect(slowings([0, 1, 999, 1_999])).toEqual([1_000, 1_000, 1_000, 2_000]);
  });

  it("begins anew when nothing was reported for a minute after the pause", () => {
    expect(slowings([0, 1_000, 3_000 + 59_999])).toEqual([1_000, 2_000, 4_000]);
    expect(slowings([0, 1_000, 3_000 + 60_000])).toEqual([1_000, 2_000, 1_000]);
  });

  it("says so until its pause is over, or a dial that began after it was taken", () => {
    const book = connection();
    slow(book, 0, NOW);
    expect([isHeldUp(book, NOW + 999), isHeldUp(book, NOW + 1_000)]).toEqual([true, false]);
    endSlowing(book, NOW - 1);
    expect(isHeldUp(book, NOW + 999)).toBe(true);
    endSlowing(book, NOW);
    expect([isHeldUp(book, NOW + 999), book.nextTurn]).toEqual([false, NOW + 1_000]);
  });
});
