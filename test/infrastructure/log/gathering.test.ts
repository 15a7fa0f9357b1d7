import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { START } from "../../../application/ports/event-store.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { createRecentWrites } from "../../../infrastructure/log/postgres/recent-writes.ts";
import { subscribe } from "../../../infrastructure/log/postgres/subscribe.ts";
import { createWakeUps } from "../../../infrastructure/log/postgres/wake-ups.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { appendRequest } from "../../support/event-store/append-requests.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a subscription that many follow", () => {
  it("brings events as they come while the log is quiet", async () => {
    const log = await followed({ isAwaited: () => false });
    for (let written = 1; written <= 8; written += 1) {
      log.append(1);
      expect(await log.arrivesAfter()).toBe(0);
      await log.pass(1_000);
    }
  });

  it.each([
    ["a single call's 14 at once", 14, 18],
    ["a hundred at once", 100, 100],
    ["as many as a page has", 400, 100],
  ])(
    "waits after %s: three milliseconds for each beyond eight, at most a tenth of a second",
    async (_, events, millis) => {
      const log = await followed({ isAwaited: () => false });
      log.append(events);
      expect(await log.arrivesAfter()).toBe(0);
      log.append(1);
      expect(await log.arrivesAfter()).toBe(millis);
    },
  );

  it("gathers what comes one by one, hundred a second, into ten pages of a second", async () => {
    const log = await followed({ isAwaited: () => false });
    await log.appendEach(10, 300);
    const before = log.pages();
    await log.appendEach(10, 100);
    expect(log.pages() - before).toBeLessThanOrEqual(11);
  });

  it("waits no longer where the process is late at each of its looks", async () => {
    const log = await followed({ isAwaited: () => false });
    const sleep = vi.spyOn(systemClock, "sleep").mockImplementation(async (millis) => {
      vi.advanceTimersByTime(millis + 45);
    });
    log.append(100);
    await log.pass(0);
    expect(sleep).toHaveBeenCalledTimes(2);
    sleep.mockRestore();
  });

  it("is as quick as before when the log was quiet for two seconds", async () => {
    const log = await followed({ isAwaited: () => false });
    log.append(40);
    expect(await log.arrivesAfter()).toBe(0);
    await log.pass(2_000);
    log.append(1);
    expect(await log.arrivesAfter()).toBe(0);
    log.append(1);
    expect(await log.arrivesAfter()).toBe(0);
  });

  it("keeps nobody waiting who waits, and notices within five milliseconds", async () => {
    let isAwaited = false;
    const log = await followed({ isAwaited: () => isAwaited });
    log.append(100);
    expect(await log.arrivesAfter()).toBe(0);
    log.append(1);
    expect(await log.arrivesAfter()).toBe(100);
    isAwaited = true;
    log.append(1);
    expect(await log.arrivesAfter()).toBe(5);
    log.append(1);
    expect(await log.arrivesAfter()).toBe(0);
  });

  it("lets those who wait share pages that are large all the same: for 20 milliseconds", async () => {
    const log = await followed({ isAwaited: () => true });
    log.append(8);
    expect(await log.arrivesAfter()).toBe(0);
    log.append(30);
    expect(await log.arrivesAfter()).toBe(0);
    log.append(1);
    expect(await log.arrivesAfter()).toBe(20);
  });
});

it("a subscription of one alone gathers nothing", async () => {
  const log = await followed({});
  log.append(400);
  expect(await log.arrivesAfter()).toBe(0);
  log.append(1);
  expect(await log.arrivesAfter()).toBe(0);
});

/** Of a log of nobody else, at its end, with what this process appends; time stands still but for `pass`. */
async function followed(options: { readonly isAwaited?: () => boolean }) {
  const recent = createRecentWrites();
  const wakeUps = createWakeUps();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const deps = { query: async () => [], recent, wakeUps, logger: silentLogger };
  let written = 0;
  let seen = 0;
  let pages = 0;
  void (async () => {
    for await (const { events } of subscribe(
      deps,
      { after: START, signal: stop.signal, ...options },
      stop.signal,
    )) {
      seen += events.length;
      pages += 1;
    }
  })();
  const pass = (millis: number) => vi.advanceTimersByTimeAsync(millis);
  await pass(0);
  const append = (events: number): void => {
    recent.add(written, "2026-09-01 10:00:00.12+00", [appendRequest("a", events)]);
    written += events;
    wakeUps.raise(false);
  };
  return {
    append,
    pass,
    pages: () => pages,
    /** Milliseconds until everything that was appended has come; 1,000: it has not. */
    arrivesAfter: async (): Promise<number> => {
      await pass(0);
      let millis = 0;
      for (; seen < written && millis < 1_000; millis += 1) await pass(1);
      return millis;
    },
    appendEach: async (millis: number, times: number): Promise<void> => {
      for (let left = times; left > 0; left -= 1) {
        append(1);
        await pass(millis);
      }
    },
  };
}
