import { describe, expect, it } from "vitest";
import { engineProcess, openEvents, pass, type WorldOptions } from "../../engine-world.ts";
import { ASKED_AGAIN_MILLIS, AT_ONCE_MILLIS, runnerWorld, STREAM } from "./runner-world.ts";

describe("a campaign that another process takes over", () => {
  const dies = (at: string): WorldOptions => ({
    crashPoints: { reached: (point) => (point === at ? new Promise<void>(() => undefined) : undefined) },
  });

  it("has its recorded dials carried out that nobody has begun, under their own ids", async () => {
    const { stores, one, started, count, requests } = runnerWorld(
      dies("eventStore.append.CallRequested.before"),
    );
    await started(3);
    const dialled = openEvents(stores, STREAM).filter(({ type }) => type === "ContactDialed");
    expect([dialled.length, requests()]).toEqual([3, []]);
    one.stop();
    const two = engineProcess(stores, { processId: "two" });
    await pass(stores, ASKED_AGAIN_MILLIS);
    const ids = dialled.map(({ data }) => data["callId"]);
    expect([
      requests()
        .map(({ data }) => data["callId"])
        .sort(),
      two.placed.toSorted(),
    ]).toEqual([ids.toSorted(), ids.toSorted()]);
    expect(count("ContactDialed")).toBe(3);
  });

  it("has the outcomes recorded of calls that ended while nobody ran it", async () => {
    const { stores, one, started, ends, live, count, last } = runnerWorld();
    await started(2);
    const calls = live();
    one.stop();
    const api = engineProcess(stores, { processId: "api", works: false });
    for (const callId of calls) await ends(callId, api);
    expect(count("ContactAttemptFailed")).toBe(0);
    engineProcess(stores, { processId: "two" });
    await pass(stores, ASKED_AGAIN_MILLIS);
    expect([count("ContactAttemptFailed"), last()?.type]).toEqual([2, "CampaignCompleted"]);
  });

  it("keeps its live calls: nobody is called twice, and their ends are recorded there", async () => {
    const { stores, one, started, ends, live, count } = runnerWorld();
    await started(2);
    const calls = live();
    one.stop();
    const two = engineProcess(stores, { processId: "two" });
    await pass(stores, ASKED_AGAIN_MILLIS);
    expect([two.placed, count("ContactDialed")]).toEqual([[], 2]);
    for (const callId of calls) await ends(callId, two);
    await pass(stores, AT_ONCE_MILLIS);
    expect(count("ContactAttemptFailed")).toBe(2);
  });
});
