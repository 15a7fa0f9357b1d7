import { describe, expect, it } from "vitest";
import { runCampaign } from "../../../../application/campaign/runner/running-campaign.ts";
import { type EventStore, EventStoreError } from "../../../../application/ports/event-store.ts";
import type { CampaignEvent } from "../../../../domain/campaign/events.ts";
import {
  at,
  contact,
  created,
  dialed,
  paused,
  running,
  succeeded,
} from "../../../domain/campaign/example-campaign.ts";
import { OWNER, pass } from "../../engine-world.ts";
import { runnerParts } from "./runner-parts.ts";
import { STREAM } from "./runner-world.ts";

const GONE = new EventStoreError({ kind: "deleted", stream: STREAM });
const AWAY = new TypeError("away");

/** Runs a campaign whose stream fails in these readings of it, one after another. */
async function stepping(
  events: readonly CampaignEvent[],
  failures: readonly (Error | null)[] = [],
  credits = 100,
) {
  const seen = { reads: 0, asked: 0, withdrawn: 0 };
  const wrapStore = (store: EventStore): EventStore => ({
    ...store,
    read: async (stream, options) => {
      const failure = stream === STREAM ? failures[seen.reads] : null;
      if (stream === STREAM) seen.reads += 1;
      if (failure !== null && failure !== undefined) throw failure;
      return store.read(stream, options);
    },
  });
  const parts = runnerParts(
    ({ admission }) => ({
      admission: {
        ...admission,
        admit: async () => {
          seen.asked += 1;
          return { granted: [], refusal: "concurrency" };
        },
        withdrawDemand: async () => {
          seen.withdrawn += 1;
        },
      },
    }),
    { wrapStore, credits },
  );
  await parts.store(STREAM, ...events);
  return {
    ...parts,
    seen,
    run: () => runCampaign(parts.deps, new Map(), "cmp_1", OWNER),
    passed: (millis: number) => pass(parts.stores, millis),
  };
}

const ONE = [contact(1)];
const DONE = [...running(ONE), dialed(1), succeeded(1)];

describe("a campaign that runs here", () => {
  it("goes from step to step until nobody needs it", async () => {
    const { run, stores, passed } = await stepping(DONE);
    const campaign = run();
    expect(campaign.isOver()).toBe(false);
    await passed(1);
    expect([await campaign.finished, campaign.isOver()]).toEqual(["done", true]);
    await campaign.ready;
    expect(stores.database.events.at(-1)?.type).toBe("CampaignCompleted");
  });

  it("says since when somebody waits, and for what; it asks again in five seconds, or when it is woken", async () => {
    const { run, seen, passed } = await stepping(running(ONE));
    const campaign = run();
    await passed(4_999);
    expect([campaign.oldestDueSince(), campaign.refusal(), seen.asked]).toEqual([at(0), "concurrency", 1]);
    campaign.wake();
    await passed(1);
    expect(seen.asked).toBe(2);
    await passed(5_001);
    expect(seen.asked).toBe(3);
    campaign.stop();
    expect([await campaign.finished, campaign.isOver()]).toEqual(["stopped", false]);
  });

  it("is taken over once: from then on nothing of it is read, unless it is to look afresh", async () => {
    const { run, seen, passed } = await stepping(running(ONE));
    const campaign = run();
    await passed(59_000);
    const once = seen.reads;
    expect([once, seen.asked]).toEqual([1, 12]);
    campaign.lookAfresh();
    await passed(1);
    expect([seen.reads, seen.asked]).toEqual([once + 1, 13]);
    campaign.stop();
  });

  it("that is woken in its last moment looks once more before it is let go", async () => {
    const { run, seen, passed } = await stepping(created(ONE));
    const campaign = run();
    campaign.wake();
    await passed(1);
    expect([await campaign.finished, seen.withdrawn]).toEqual(["done", 2]);
  });
});

describe("a campaign that waits for others of the process to begin their dials", () => {
  it("goes on when its turn has come", async () => {
    const { run, seen, passed, deps } = await stepping(running(ONE));
    const [first] = Array.from({ length: 51 }, () => deps.startLimit.began());
    const campaign = run();
    await passed(2_000);
    expect(seen.asked).toBe(0);
    first?.();
    await passed(1);
    expect(seen.asked).toBe(1);
    campaign.stop();
  });

  it.each([
    ["waits for its policy meanwhile", paused("policy_refuses_all")],
    ["is paused by its user meanwhile", paused("manual")],
    ["stops meanwhile", null],
  ])("and %s leaves its turn to the next one", async (_, event) => {
    const { run, passed, deps, store } = await stepping(running(ONE));
    const [first] = Array.from({ length: 51 }, () => deps.startLimit.began());
    const campaign = run();
    await passed(10);
    const woken: string[] = [];
    expect(deps.startLimit.enter({ wake: () => void woken.push("next") }, 1)).toBe(0);
    if (event === null) campaign.stop();
    else await store(STREAM, event);
    campaign.lookAfresh();
    await passed(1);
    first?.();
    await passed(1);
    expect(woken).toEqual(["next"]);
    campaign.stop();
  });
});

describe("a step that fails", () => {
  it("is taken over afresh a second later, as often as it takes", async () => {
    const { run, said, seen, passed } = await stepping(DONE, [AWAY, AWAY, AWAY, AWAY]);
    const campaign = run();
    await passed(3_999);
    const line = ["error", "campaign step failed; taken over afresh", { campaignId: "cmp_1", error: AWAY }];
    expect([said, seen.reads]).toEqual([[line, line, line, line], 4]);
    await passed(2);
    expect(await campaign.finished).toBe("done");
  });

  it("because it is refused for good stands still at the third time", async () => {
    const { run, said, deps, passed } = await stepping(DONE, [GONE, GONE, GONE]);
    const campaign = run();
    await passed(1_999);
    expect([campaign.isOver(), said.length]).toEqual([false, 2]);
    await passed(2);
    expect([await campaign.finished, campaign.isOver()]).toEqual(["stopped", true]);
    const what = { processor: "campaign-runner", campaignId: "cmp_1", error: GONE };
    expect(said.at(-1)).toEqual(["error", "left aside for good", what]);
    expect(deps.givenUp.count("campaign-runner")).toBe(1);
    await campaign.ready;
  });

  it("for another reason in between begins the count anew", async () => {
    const { run, deps, passed } = await stepping(DONE, [GONE, GONE, AWAY, GONE, GONE]);
    const campaign = run();
    await passed(5_001);
    expect([await campaign.finished, deps.givenUp.count("campaign-runner")]).toEqual(["done", 0]);
  });

  it("and is stopped meanwhile leaves nobody waiting for it", async () => {
    const { run, passed } = await stepping(DONE, [AWAY]);
    const campaign = run();
    await passed(500);
    campaign.stop();
    await campaign.ready;
    expect(await campaign.finished).toBe("stopped");
  });
});
