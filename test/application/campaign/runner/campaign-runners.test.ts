import { describe, expect, it } from "vitest";
import { createCampaignRunners } from "../../../../application/campaign/runner/campaign-runners.ts";
import {
  type QueuedCommand,
  writeAnswer,
  writeCommand,
} from "../../../../application/campaign/runner/queued-command.ts";
import type { RunnerDeps } from "../../../../application/campaign/runner/runner-deps.ts";
import { EventStoreError } from "../../../../application/ports/event-store.ts";
import type { CampaignEvent } from "../../../../domain/campaign/events.ts";
import type { CampaignId } from "../../../../domain/shared/ids.ts";
import { at, contact, created, creation, running } from "../../../domain/campaign/example-campaign.ts";
import { CALLER, OWNER, openEvents, pass, until } from "../../engine-world.ts";
import { runnerParts } from "./runner-parts.ts";
import { STREAM } from "./runner-world.ts";

const LEASE = "campaign:cmp_1";
const LONG_MILLIS = 1_000_000;
const ONE = [contact(1)];
const ORIGIN = { ...CALLER, causationId: null };
const DONE = { ok: true, value: null, position: "7" } as const;
/** It goes on waiting for its time. */
const WAITING = created(ONE, { startAt: at(1_000_000) });

type Options = {
  readonly keeps?: boolean;
  readonly leaseMillis?: number;
  /** Streams that are gone. */
  readonly gone?: ReadonlySet<string>;
  readonly differing?: (deps: RunnerDeps) => Partial<RunnerDeps>;
};

/** A process that runs campaigns, this one among others. */
async function process(events: readonly CampaignEvent[], options: Options = {}) {
  const { keeps = true, leaseMillis = 10_000, gone = new Set(), differing = () => ({}) } = options;
  const seen = { enqueued: 0, acquired: [] as [name: string, ttl: number][] };
  const parts = runnerParts(
    (deps) => ({
      settings: { ...deps.settings, leaseMillis },
      commandQueue: {
        ...deps.commandQueue,
        enqueue: async (row) => {
          seen.enqueued += 1;
          await deps.commandQueue.enqueue(row);
        },
      },
      leases: {
        ...deps.leases,
        acquire: async (name, holder, ttl) => {
          seen.acquired.push([name, ttl]);
          return deps.leases.acquire(name, holder, ttl);
        },
      },
      dialing: {
        ...deps.dialing,
        begin: async () => ({
          handled: { events: [], revision: 0, position: "0" },
          handedOver: Promise.resolve(),
        }),
      },
      ...differing(deps),
    }),
    {
      planConcurrentCalls: 1,
      wrapStore: (store) => ({
        ...store,
        read: async (stream, how) => {
          if (gone.has(stream)) throw new EventStoreError({ kind: "deleted", stream });
          return store.read(stream, how);
        },
      }),
    },
  );
  if (events.length > 0) await parts.store(STREAM, ...events);
  const runners = createCampaignRunners(parts.deps, keeps);
  const stop = new AbortController();
  const { stores } = parts;
  return {
    ...parts,
    seen,
    runners,
    runs: () => {
      const over = runners.run(stop.signal);
      return {
        ends: () => {
          stop.abort();
          return until(stores, over);
        },
      };
    },
    passed: (millis: number) => pass(stores, millis),
    /** Milliseconds that it takes, and what comes of it. */
    executes: async (command: QueuedCommand, owner = OWNER) => {
      const began = stores.clock.elapsed();
      const outcome = await until(
        stores,
        runners.execute("cmp_1", command, { ...ORIGIN, owner }).catch((error: unknown) => error),
      );
      return { millis: stores.clock.elapsed() - began, outcome };
    },
    heldElsewhere: (name = LEASE, millis = LONG_MILLIS) => stores.leases.acquire(name, "two", millis),
    holder: (name = LEASE) => stores.leases.holder(name),
    waiting: async () => (await stores.commandQueue.waiting(["cmp_1"])).length,
    types: () => openEvents(stores, STREAM).map(({ type }) => type),
    enqueue: (campaignId: CampaignId, command: QueuedCommand = { type: "PauseCampaign" }) =>
      stores.commandQueue.enqueue({
        id: "cmd_1",
        campaignId,
        owner: OWNER,
        payload: writeCommand(command, ORIGIN),
      }),
  };
}

describe("a user's command", () => {
  it("is carried out where nobody runs the campaign, by this process", async () => {
    const { runs, executes, types, seen } = await process(WAITING);
    const { ends } = runs();
    expect(await executes({ type: "CancelCampaign", hangUpActiveCalls: false })).toMatchObject({
      millis: 0,
      outcome: { ok: true },
    });
    expect([types().at(-1), seen.enqueued]).toEqual(["CampaignCancelled", 0]);
    await ends();
  });

  it("on a campaign of nobody or of another owner finds none", async () => {
    const none = { outcome: { ok: false, refusal: { code: "CAMPAIGN_NOT_FOUND" } } };
    expect(await (await process([])).executes({ type: "StartCampaign" })).toMatchObject(none);
    const { executes, seen } = await process(WAITING);
    expect(await executes({ type: "StartCampaign" }, "usr_2")).toMatchObject(none);
    expect(seen.acquired).toEqual([]);
  });

  it("is answered by the process that runs the campaign", async () => {
    const { stores, runs, executes, heldElsewhere, seen } = await process(WAITING);
    await heldElsewhere();
    const { ends } = runs();
    stores.commandQueue.onEnqueued(async () => {
      for (const { id } of await stores.commandQueue.waiting(["cmp_1"]))
        await stores.commandQueue.answer(id, writeAnswer(DONE));
    });
    expect(await executes({ type: "PauseCampaign" })).toMatchObject({ outcome: DONE });
    expect(seen.enqueued).toBe(1);
    await ends();
  });

  it("is carried out here once the other process has given the campaign up, and by nobody else later", async () => {
    const { runs, executes, heldElsewhere, waiting, types, seen } = await process(running(ONE), {
      keeps: false,
    });
    await heldElsewhere(LEASE, 7_000);
    const { ends } = runs();
    expect(await executes({ type: "PauseCampaign" })).toMatchObject({
      millis: 10_000,
      outcome: { ok: true },
    });
    expect([types().at(-1), seen.enqueued, await waiting()]).toEqual(["CampaignPaused", 1, 0]);
    await ends();
  });

  it.each([
    [10_000, 30_000],
    [20_000, 40_000],
  ])(
    "that nobody answers is waited for as long as a lease of %i ms may take to lapse",
    async (leaseMillis, then) => {
      const { runs, executes, heldElsewhere, seen } = await process(WAITING, { leaseMillis });
      await heldElsewhere();
      const { ends } = runs();
      const { millis, outcome } = await executes({ type: "PauseCampaign" });
      expect([millis, seen.enqueued]).toEqual([then, 1]);
      expect(outcome).toMatchObject({
        failure: { kind: "unavailable", cause: "no process answered for cmp_1" },
      });
      await ends();
    },
  );

  it.each([
    [{ type: "StartCampaign" }, 0],
    [{ type: "ResumeCampaign" }, 0],
    [{ type: "ChangeSettings", changes: { name: "Other" } }, 0],
    [{ type: "PauseCampaign" }, 1],
    [{ type: "CancelCampaign", hangUpActiveCalls: true }, 1],
    [{ type: "SkipContact", contactId: "ctc_1" }, 1],
  ] as const)("%o that nobody answered is not done later, unless it stops calls", async (command, left) => {
    const { runs, executes, heldElsewhere, waiting } = await process(WAITING);
    await heldElsewhere();
    const { ends } = runs();
    await executes(command);
    expect(await waiting()).toBe(left);
    await ends();
  });
});

describe("commands of other processes' users", () => {
  it("are carried out at once where the campaign runs", async () => {
    const { runs, passed, enqueue, waiting, types, runners } = await process(running(ONE));
    const { ends } = runs();
    await runners.announce("cmp_1");
    await passed(3_000);
    await enqueue("cmp_1");
    await passed(10);
    expect([types().at(-1), await waiting()]).toEqual(["CampaignPaused", 0]);
    await ends();
  });

  it("are left alone by a process that does not run the campaign", async () => {
    const { runs, passed, enqueue, waiting, holder } = await process(WAITING);
    const { ends } = runs();
    await enqueue("cmp_1");
    await passed(5_000);
    expect([await waiting(), await holder()]).toEqual([1, null]);
    await ends();
  });

  it("that were not heard are carried out when the lease is renewed next", async () => {
    const deaf = ({ commandQueue }: RunnerDeps) => ({
      commandQueue: { ...commandQueue, onEnqueued: () => () => undefined },
    });
    const { runs, passed, enqueue, runners, types } = await process(WAITING, { differing: deaf });
    const { ends } = runs();
    await runners.announce("cmp_1");
    await passed(3_000);
    await enqueue("cmp_1", { type: "CancelCampaign", hangUpActiveCalls: false });
    await passed(300);
    expect(types().at(-1)).toBe("CampaignCreated");
    await passed(100);
    expect(types().at(-1)).toBe("CampaignCancelled");
    await ends();
  });

  it("that wait for a dead process are carried out as soon as its campaign is taken over", async () => {
    const { runs, passed, enqueue, runners, types } = await process(WAITING);
    await runners.announce("cmp_1");
    await enqueue("cmp_1", { type: "CancelCampaign", hangUpActiveCalls: false });
    await passed(2);
    const { ends } = runs();
    await passed(100);
    expect(types().at(-1)).toBe("CampaignCancelled");
    await ends();
  });
});

describe("campaigns that nobody runs", () => {
  it("are looked for four times in the life of a lease, also after a failure", async () => {
    const tries: number[] = [];
    const { runs, passed, said, holder, runners } = await process(WAITING, {
      differing: ({ leases, clock }) => ({
        leases: {
          ...leases,
          abandoned: async (...args) => {
            tries.push(clock.monotonicMillis());
            if (tries.length === 1) throw new TypeError("away");
            return leases.abandoned(...args);
          },
        },
      }),
    });
    await runners.announce("cmp_1");
    const { ends } = runs();
    await passed(5_001);
    expect(tries).toEqual([0, 2_500, 5_000]);
    const why = { error: new TypeError("away") };
    expect(said).toEqual([["error", "abandoned campaigns not taken over; tries again", why]]);
    expect(await holder()).toBe("one");
    await ends();
  });

  it("are taken up at once by the process that held them before it was started again", async () => {
    const { stores, runs, passed, holder, runners } = await process(WAITING);
    await stores.leases.acquire(LEASE, "one", LONG_MILLIS);
    const { ends } = runs();
    await passed(10);
    expect([await holder(), runners.oldestDueSince()]).toEqual(["one", null]);
    await ends();
    await passed(2);
    expect(await holder()).toBeNull();
  });

  it("are not taken by a process that keeps none", async () => {
    const { runs, passed, holder, runners } = await process(WAITING, { keeps: false });
    await runners.announce("cmp_1");
    const { ends } = runs();
    await passed(10_000);
    expect(await holder()).toBeNull();
    await ends();
  });

  it("are searched for the moment that one is heard to start by itself, and half a second later", async () => {
    const tries: number[] = [];
    const { runs, passed, store } = await process([], {
      differing: ({ leases, clock }) => ({
        leases: {
          ...leases,
          abandoned: async () => {
            tries.push(clock.monotonicMillis());
            return [];
          },
        },
      }),
    });
    const { ends } = runs();
    await passed(1_000);
    await store(STREAM, ...WAITING);
    await passed(1_000);
    expect([tries.length, tries[0]]).toEqual([3, 0]);
    expect(tries[1]).toBeGreaterThanOrEqual(1_000);
    expect(tries[1]).toBeLessThan(1_100);
    expect((tries[2] ?? 0) - (tries[1] ?? 0)).toBe(500);
    await ends();
  });
});

describe("a campaign that cannot be read", () => {
  it("is left aside, and holds no other up", async () => {
    const { stores, runs, passed, said, holder, runners } = await process(WAITING, {
      gone: new Set(["campaign-cmp_0"]),
    });
    await stores.leases.acquire("campaign:cmp_0", "two", 1);
    await stores.leases.acquire(LEASE, "two", 1);
    await passed(2);
    const { ends } = runs();
    await passed(10);
    expect(await holder()).toBe("one");
    expect(said).toMatchObject([
      ["error", "left aside for good", { processor: "campaign-runner", campaignId: "cmp_0" }],
    ]);
    expect(runners.status()).toMatchObject({ name: "campaign-runner", parked: 1 });
    await ends();
  });

  const unreadable = async (count: number) => {
    const ids = Array.from({ length: count }, (_, index) => `cmp_x${index}`);
    const known = await process(WAITING, { gone: new Set(ids.map((id) => `campaign-${id}`)) });
    for (const id of ids) await known.stores.leases.acquire(`campaign:${id}`, "two", 1);
    await known.passed(2);
    const { ends } = known.runs();
    await known.passed(100);
    return { ...known, ends };
  };

  it("is left to others for a day", async () => {
    const { passed, seen, ends } = await unreadable(99);
    await passed(5_000);
    expect(seen.acquired).toHaveLength(99);
    await ends();
  });

  it("hides no other one behind a hundred of its kind", async () => {
    const { stores, passed, holder, ends } = await unreadable(100);
    await stores.leases.acquire(LEASE, "two", 1);
    await passed(5_000);
    expect(await holder()).toBe("one");
    await ends();
  });
});

describe("what is told by others", () => {
  const ticking = async () => {
    const asked: string[] = [];
    const known = await process(running(ONE), {
      differing: ({ admission }) => ({
        admission: {
          ...admission,
          admit: async ({ campaignId }) => {
            asked.push(campaignId ?? "none");
            return { granted: [], refusal: "concurrency" };
          },
        },
      }),
    });
    const other = "cmp_2" as const;
    await known.store(
      "campaign-cmp_2",
      {
        type: "ContactsImported",
        data: { campaignId: other, importId: "imp_1", firstIndex: 0, contacts: ONE, at: at(-2) },
      },
      { type: "CampaignCreated", data: { ...creation(1), campaignId: other, owner: "usr_2" } },
      { type: "CampaignStarted", data: { campaignId: other, at: at(0) } },
    );
    return { ...known, asked };
  };

  it("wakes the campaigns of the owner that it is about", async () => {
    const { runs, passed, runners, asked, stores } = await ticking();
    await runners.announce("cmp_1");
    const { ends } = runs();
    await passed(3_000);
    expect(asked).toEqual(["cmp_1"]);
    stores.directory.suppress(OWNER, "+14155550109");
    await passed(1);
    expect(asked).toEqual(["cmp_1", "cmp_1"]);
    stores.directory.suppress("usr_2", "+14155550109");
    await passed(1);
    expect(asked).toEqual(["cmp_1", "cmp_1"]);
    expect(runners.oldestDueSince()).not.toBeNull();
    await ends();
  });
});

describe("leases that cannot be renewed", () => {
  it("are tried again a third of their life later", async () => {
    let fails = true;
    const { runs, passed, runners, said, holder } = await process(WAITING, {
      differing: ({ leases }) => ({
        leases: {
          ...leases,
          renew: async (...args) => {
            if (fails) throw new TypeError("away");
            return leases.renew(...args);
          },
        },
      }),
    });
    await runners.announce("cmp_1");
    await passed(2);
    const { ends } = runs();
    await passed(3_400);
    expect(said).toEqual([["error", "leases not renewed; tries again", { error: new TypeError("away") }]]);
    fails = false;
    await passed(10_000);
    expect([await holder(), said.length]).toEqual(["one", 1]);
    await ends();
  });
});
