import { describe, expect, it } from "vitest";
import { dialBatch } from "../../../../application/campaign/runner/dial-batch.ts";
import type { Grant } from "../../../../domain/admission/grants.ts";
import type { AdmissionRefusal, AdmissionRequest } from "../../../../domain/admission/requests.ts";
import type { PolicyInForce } from "../../../../domain/policy/policy.ts";
import type { CallId, ConnectionId } from "../../../../domain/shared/ids.ts";
import { at, contact, dialed, failed, running } from "../../../domain/campaign/example-campaign.ts";
import { OWNER, openEvents, PHONE_NUMBER, pass } from "../../engine-world.ts";
import { countedReads, runnerParts, runOf } from "./runner-parts.ts";
import { STREAM } from "./runner-world.ts";

const NOW = at(0);
const lineOf = (connectionId: ConnectionId | null) => ({
  phoneNumberId: PHONE_NUMBER,
  connectionId,
  freeCalls: 100,
  policy: null,
});

/** Grants the first so many of what is asked for. */
function admitting(grants: number, refusal: AdmissionRefusal = null) {
  const meanwhile = { happens: async () => {} };
  const asked: AdmissionRequest[] = [];
  const closed: CallId[] = [];
  const stop = new AbortController();
  const reads = countedReads();
  const parts = runnerParts(
    ({ admission, dialing }) => ({
      dialing: { ...dialing, stopped: stop.signal },
      admission: {
        ...admission,
        admit: async (request) => {
          asked.push(request);
          await meanwhile.happens();
          return { granted: request.candidates.slice(0, grants).map(grantOf), refusal };
        },
        close: async (settlements) => {
          if (settlements.length === 0) throw new Error("there is nothing to give back");
          closed.push(...settlements.map(({ callId }) => callId));
        },
      },
    }),
    reads,
  );
  const known = runOf();
  return {
    ...parts,
    ...known,
    asked,
    closed,
    reads: reads.counted,
    meanwhile,
    stopDialling: () => stop.abort(),
    batch: () => dialBatch(parts.deps, known.run, lineOf(null)),
    types: () => openEvents(parts.stores, STREAM).map(({ type }) => type),
  };
}

function grantOf({ callId }: AdmissionRequest["candidates"][number]): Grant {
  const limits = { activeCalls: 1, effectiveMaxConcurrentCalls: 10, availableCredits: 50_000 };
  return { callId, dialAt: at(1), dialBy: at(16), ...limits };
}

const some = (count: number) => Array.from({ length: count }, (_, index) => contact(index + 1));

describe("a batch of dials", () => {
  it("is none while other campaigns of the process have 51 dials on their way, and is woken when they have fewer", async () => {
    const { deps, begun, counted, asked, batch, store } = admitting(100);
    await store(STREAM, ...running(some(5)));
    const [first] = Array.from({ length: 51 }, () => deps.startLimit.began());
    expect([await batch(), asked.length, counted.wakes]).toEqual([null, 0, 0]);
    first?.();
    expect(counted.wakes).toBe(1);
    expect(await batch()).toBe(deps.clock.now());
    expect([asked[0]?.candidates.length, begun.length]).toEqual([5, 5]);
  });

  it("is as large as its turn while others wait as well", async () => {
    const { deps, asked, batch, store } = admitting(0, "concurrency");
    await store(STREAM, ...running(some(60)));
    const [first] = Array.from({ length: 51 }, () => deps.startLimit.began());
    await batch();
    deps.startLimit.enter({ wake: () => undefined }, 10);
    first?.();
    await batch();
    expect(asked.map(({ candidates }) => candidates.length)).toEqual([25]);
  });

  it("writes down all whom it may dial, begins their calls, and looks again at once", async () => {
    const { deps, stores, store, looksBy } = runnerParts();
    const { run, begun } = runOf();
    await store(STREAM, ...running(some(2)));
    await pass(stores, 700);
    expect(await dialBatch(deps, run, lineOf("conn_1"))).toBe(deps.clock.now());
    const dials = openEvents(stores, STREAM).filter(({ type }) => type === "ContactDialed");
    expect(dials.map(({ data, metadata }) => [data["contactId"], metadata.actor])).toEqual([
      ["ctc_1", "process:campaign-runner"],
      ["ctc_2", "process:campaign-runner"],
    ]);
    expect(begun).toMatchObject([
      { dial: { contactId: "ctc_1" }, checkedAt: 700, connectionId: "conn_1" },
      { dial: { contactId: "ctc_2" }, checkedAt: 700, connectionId: "conn_1" },
    ]);
    expect([...run.callOwners.values()]).toEqual([
      { campaignId: "cmp_1", contactId: "ctc_1" },
      { campaignId: "cmp_1", contactId: "ctc_2" },
    ]);
    expect(looksBy).toEqual(dials.map(({ data }) => data["dialBy"]));
    expect([run.refusal, run.oldestDueSince]).toEqual([null, deps.clock.now()]);
  });

  it("asks for 100 slots at the most, within the limits of the campaign", async () => {
    const { store, batch, asked } = admitting(0);
    const many = some(501).map((each, index) => ({
      ...each,
      phoneNumber: `+1202555${String(index).padStart(4, "0")}` as const,
    }));
    await store(STREAM, ...running(many, { maxCallsPerSecond: 3 }));
    await batch();
    expect(asked).toMatchObject([
      { owner: OWNER, campaignId: "cmp_1", maxConcurrentCalls: null, maxCallsPerSecond: 3 },
    ]);
    expect(asked[0]?.candidates).toHaveLength(100);
  });

  it("asks for none while many recorded dials have not begun, and goes on when few are left", async () => {
    const { store, batch, asked, counted } = admitting(1);
    await store(STREAM, ...running(some(2)));
    counted.starting = 51;
    expect(await batch()).toBeNull();
    expect(asked).toEqual([]);
    counted.starting = 50;
    await batch();
    expect(asked).toHaveLength(1);
  });

  it("asks for as many as its cap leaves, and for nobody once that is reached: those go on waiting", async () => {
    const { store, run, batch, asked, deps } = admitting(0);
    await store(STREAM, ...running(some(4), { maxConcurrentCalls: 3 }), dialed(1));
    await batch();
    expect(
      asked.map(({ candidates, maxConcurrentCalls }) => [candidates.length, maxConcurrentCalls]),
    ).toEqual([[2, 3]]);
    await store(STREAM, dialed(2), dialed(3));
    await deps.aggregates.campaigns.query(STREAM, () => null, { fresh: true });
    run.refusal = "pace";
    expect(await batch()).toBeNull();
    expect([asked.length, run.refusal, run.oldestDueSince]).toEqual([1, null, NOW]);
  });

  it("that was granted nobody is asked for again in a second", async () => {
    const { store, batch, begun, closed, types } = admitting(0);
    await store(STREAM, ...running(some(1)));
    expect([await batch(), begun, closed, types().at(-1)]).toEqual([at(1), [], [], "CampaignStarted"]);
  });

  it.each([
    ["concurrency", 1, at(5)],
    ["pace", 0, at(5)],
    ["pace", 2, NOW],
    [null, 1, NOW],
    ["credits", 1, NOW],
    ["owner_inactive", 0, null],
  ] as const)(
    "that is refused for %s after %i of two is asked for again by %s",
    async (refusal, grants, then) => {
      const { store, run, batch, begun, closed } = admitting(grants, refusal);
      await store(STREAM, ...running(some(2)));
      expect(await batch()).toBe(then);
      expect([run.refusal, begun.length, closed]).toEqual([refusal, grants, []]);
      // Nobody may call for an owner that is inactive: that is no delay.
      expect(run.oldestDueSince).toBe(refusal === "owner_inactive" ? null : NOW);
    },
  );

  it("asks for no slot where nothing is configured to call through, and again in five seconds", async () => {
    const { store, run, deps, asked } = admitting(9);
    await store(STREAM, ...running(some(1)));
    const carriers = { ...deps.carriers, route: async () => null };
    expect(await dialBatch({ ...deps, carriers }, run, lineOf("conn_1"))).toBe(at(5));
    expect([run.refusal, asked]).toEqual(["carrier", []]);
  });
});

describe("a batch with nobody in it", () => {
  it("waits for the first retry, and keeps nobody waiting until then", async () => {
    const { store, run, batch, asked } = admitting(9);
    await store(STREAM, ...running(some(1)), dialed(1), failed(1, at(90)));
    Object.assign(run, { refusal: "pace", dueSince: at(-9), oldestDueSince: at(-9) });
    expect(await batch()).toBe(at(90));
    expect([asked, run]).toMatchObject([[], { refusal: null, dueSince: null, oldestDueSince: null }]);
  });

  it("waits for the call of the same number, that wakes it when it ends", async () => {
    const { store, batch, asked } = admitting(9);
    const twice = [contact(1), contact(2, { phoneNumber: contact(1).phoneNumber })];
    await store(STREAM, ...running(twice), dialed(1));
    expect([await batch(), asked]).toEqual([null, []]);
  });

  it("waits for the end of a call where its cap is reached, not for the retry that comes next", async () => {
    const { store, batch } = admitting(9);
    await store(
      STREAM,
      ...running(some(2), { maxConcurrentCalls: 1 }),
      dialed(1),
      failed(1, at(90)),
      dialed(2),
    );
    expect(await batch()).toBeNull();
  });

  it("waits for nothing when all are called", async () => {
    const { store, batch } = admitting(9);
    await store(STREAM, ...running(some(1)), dialed(1));
    expect(await batch()).toBeNull();
  });
});

describe("a process that dials nobody any more", () => {
  it("asks for no slot", async () => {
    const { store, batch, asked, stopDialling } = admitting(9);
    await store(STREAM, ...running(some(1)));
    stopDialling();
    expect([await batch(), asked]).toEqual([null, []]);
  });

  it("gives back what it was granted meanwhile", async () => {
    const { store, batch, begun, asked, closed, types, run, stopDialling, meanwhile } = admitting(2);
    await store(STREAM, ...running(some(2)));
    meanwhile.happens = async () => stopDialling();
    await batch();
    expect(closed).toEqual(asked[0]?.candidates.map(({ callId }) => callId));
    expect([begun, types().at(-1), run.callOwners.size]).toEqual([[], "CampaignStarted", 0]);
  });
});

describe("a campaign that is paused while slots are granted", () => {
  it("dials nobody: the slots are free at once, without a look at the log, and it looks again in a second", async () => {
    const { store, deps, batch, begun, asked, closed, run, meanwhile, reads } = admitting(2);
    await store(STREAM, ...running(some(2)));
    meanwhile.happens = async () => {
      const origin = { owner: OWNER, actor: "key_1", correlationId: "c", causationId: null };
      await deps.aggregates.campaigns.handle(STREAM, [{ type: "PauseCampaign", now: NOW }], origin);
      reads.reads = 0;
    };
    expect(await batch()).toBe(at(1));
    expect(closed).toEqual(asked[0]?.candidates.map(({ callId }) => callId));
    expect([begun, run.callOwners.size, reads.reads]).toEqual([[], 0, 0]);
  });
});

describe("a number that was changed while slots were asked for", () => {
  it("dials nobody by what the old one calls through: the slots are given back", async () => {
    const { store, batch, begun, closed, meanwhile } = admitting(9);
    await store(STREAM, ...running(some(2)));
    meanwhile.happens = async () => {
      const data = { campaignId: "cmp_1", at: at(1), changes: {}, pins: { phoneNumberId: "pn_2" } } as const;
      await store(STREAM, { type: "CampaignSettingsChanged", data });
    };
    await batch();
    expect(begun).toEqual([]);
    expect(closed).toHaveLength(2);
  });
});

describe("contacts on the do-not-call list", () => {
  it("are passed over with what stands there of them, and their slots are given back", async () => {
    const { store, stores, batch, begun, asked, closed, types, run } = admitting(9);
    await store(STREAM, ...running(some(2)));
    for (const { phoneNumber } of some(2)) stores.directory.suppress(OWNER, phoneNumber);
    expect(await batch()).toBe(NOW);
    expect([begun, run.callOwners.size]).toEqual([[], 0]);
    expect(closed).toEqual(asked[0]?.candidates.map(({ callId }) => callId));
    expect(types().slice(-2)).toEqual(["ContactSkipped", "ContactSkipped"]);
  });

  it("are asked no slot for after a batch that met one, until a batch meets none", async () => {
    const { store, stores, batch, asked, run } = admitting(1);
    await store(STREAM, ...running(some(4)));
    for (const index of [1, 2, 3]) stores.directory.suppress(OWNER, contact(index).phoneNumber);
    await batch();
    expect([asked[0]?.candidates.length, run.metSuppressed]).toEqual([4, true]);
    await batch();
    expect(asked[1]?.candidates.map(({ phoneNumber }) => phoneNumber)).toEqual([contact(4).phoneNumber]);
    expect(run.metSuppressed).toBe(true);
  });

  it("that are listed while slots are granted are passed over: the list is read after the slot is taken", async () => {
    const { store, stores, batch, begun, asked, closed, types, meanwhile } = admitting(9);
    await store(STREAM, ...running(some(2)));
    meanwhile.happens = async () => stores.directory.suppress(OWNER, contact(1).phoneNumber);
    expect(await batch()).toBe(NOW);
    expect(begun).toMatchObject([{ dial: { contactId: "ctc_2" } }]);
    expect(closed).toEqual([asked[0]?.candidates[0]?.callId]);
    expect(types().slice(-2).toSorted()).toEqual(["ContactDialed", "ContactSkipped"]);
  });

  it("cost one reading of the list a batch while nobody of the campaign is on it", async () => {
    const { store, deps, run } = admitting(9);
    await store(STREAM, ...running(some(2)));
    const read: (readonly string[])[] = [];
    const suppressed: typeof deps.directory.suppressed = async (_owner, numbers) => {
      read.push(numbers);
      return new Set();
    };
    await dialBatch({ ...deps, directory: { ...deps.directory, suppressed } }, run, lineOf(null));
    expect(read).toEqual([some(2).map(({ phoneNumber }) => phoneNumber)]);
  });

  it("are passed over without a reason when they were taken off it meanwhile", async () => {
    const { store, stores, deps, run, begun } = admitting(9);
    await store(STREAM, ...running(some(2)));
    stores.directory.suppress(OWNER, contact(1).phoneNumber);
    const directory = { ...deps.directory, suppressions: async () => new Map() };
    await dialBatch({ ...deps, directory }, run, lineOf(null));
    const skipped = openEvents(stores, STREAM).find(({ type }) => type === "ContactSkipped");
    expect(skipped?.data).toMatchObject({ contactId: "ctc_1", reason: "suppressed" });
    expect(skipped?.data).not.toHaveProperty("suppression");
    expect(begun).toMatchObject([{ dial: { contactId: "ctc_2" } }]);
  });

  it("cost the directory one question as long as nobody is on it", async () => {
    const { store, deps, run } = admitting(9);
    await store(STREAM, ...running(some(2)));
    let asked = 0;
    const suppressions: typeof deps.directory.suppressions = async () => {
      asked += 1;
      return new Map();
    };
    await dialBatch({ ...deps, directory: { ...deps.directory, suppressions } }, run, lineOf(null));
    expect(asked).toBe(0);
  });
});

describe("contacts whom the policy refuses", () => {
  const POLICY: PolicyInForce = {
    version: 1,
    policy: {
      callableHours: null,
      attemptsPerNumber: { day: 1 },
      oneCallAtATime: true,
      exceptSingleCalls: false,
    },
  };
  const line = { ...lineOf(null), policy: POLICY };
  const until = at(9_000);

  it("are held without a slot, and after a whole batch of them five hundred are judged at once", async () => {
    const asked: number[] = [];
    const { deps, stores, store } = runnerParts(({ admission }) => ({
      admission: {
        ...admission,
        admit: async ({ candidates }) => {
          asked.push(candidates.length);
          const refusals = [
            { rule: "attemptsPerNumber", value: 1, limit: "1/day", until, heldBy: null } as const,
          ];
          const byPolicy = candidates.map(({ callId }) => ({
            ...{ callId, policyVersion: 1, judgedAt: NOW, refusals },
          }));
          return { granted: [], refusal: null, byPolicy };
        },
      },
    }));
    const { run, begun } = runOf();
    await store(STREAM, ...running(some(700)));
    for (let batch = 0; batch < 3; batch += 1)
      expect(await dialBatch(deps, run, line)).toBe(deps.clock.now());
    expect(asked).toEqual([100, 500, 100]);
    expect(await dialBatch(deps, run, line)).toBe(until);
    const held = openEvents(stores, STREAM).filter(({ type }) => type === "ContactHeld");
    expect([held.length, begun.length]).toEqual([700, 0]);
    expect(held[0]?.data).toMatchObject({ contactId: "ctc_1", until, policyVersion: 1 });
  });

  it("are judged where they live: by their own zone, or by none", async () => {
    const { store, asked, deps, run } = admitting(0, "concurrency");
    await store(STREAM, ...running([contact(1), { ...contact(2), timezone: "Asia/Tokyo" }]));
    await dialBatch(deps, run, line);
    expect(asked[0]?.candidates.map(({ timezone }) => timezone)).toEqual([null, "Asia/Tokyo"]);
  });

  it("stand in the dials of the others by what allowed these", async () => {
    const policy = { policyVersion: 1, judgedAt: NOW, checks: [], zones: null };
    const { deps, stores, store } = runnerParts(({ admission }) => ({
      admission: {
        ...admission,
        admit: async ({ candidates }) => ({
          granted: candidates.map((candidate) => ({ ...grantOf(candidate), policy })),
          refusal: null,
        }),
      },
    }));
    const { run } = runOf();
    await store(STREAM, ...running(some(1)));
    await dialBatch(deps, run, line);
    const [dial] = openEvents(stores, STREAM).filter(({ type }) => type === "ContactDialed");
    expect(dial?.data["evidence"]).toMatchObject(policy);
  });
});
