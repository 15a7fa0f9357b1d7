import { describe, expect, it } from "vitest";
import type { ClaimedDelivery } from "../../../../application/ports/delivery-store.ts";
import { Claiming } from "../../../../application/webhook/delivery/claiming.ts";
import { collectClaims } from "../../../../application/webhook/delivery/collect-claims.ts";
import { healthRecord } from "../../../../application/webhook/delivery/delivery-sender.ts";
import {
  type EndpointRun,
  newRun,
  placeCounter,
  smoothAttemptMillis,
} from "../../../../application/webhook/delivery/endpoint-run.ts";
import { DEFAULT_PLACES } from "../../../../application/webhook/delivery/places.ts";
import type { OwnerId } from "../../../../domain/shared/ids.ts";
import { CLOSED_BREAKER } from "../../../../domain/webhook/breaker.ts";
import type { AttemptVerdict } from "../../../../domain/webhook/endpoint-health.ts";
import { silentLogger } from "../../../../simulation/memory/silent.ts";
import { movingClock } from "../../../support/moving-clock.ts";

const NOW = 1_000_000;
const HEALTHY = { breaker: CLOSED_BREAKER, silentSinceMillis: 0, exhausted: false };
const DELIVERED: AttemptVerdict = {
  ...{ status: "delivered", failures: 0, nextAttemptAtMillis: null, health: HEALTHY, retire: null },
};

function endpoint(owner: OwnerId, changes: { readonly proven?: boolean; readonly exhausted?: boolean } = {}) {
  return newRun(
    {
      ...{ owner, version: 7, url: "https://receiver.example", inUse: true, proven: changes.proven ?? true },
      secrets: { current: "whsec_a", previous: null },
      health: { ...HEALTHY, exhausted: changes.exhausted ?? false },
    },
    0,
  );
}

/** An endpoint whose row was written now. */
function written(changes: Parameters<typeof endpoint>[1] = {}): EndpointRun {
  return { ...endpoint("usr_a", changes), recordedAtMillis: NOW };
}

describe("the row of an endpoint", () => {
  it("is written for what a restart has to know, and says it once", () => {
    const run = written({ proven: false });
    const record = healthRecord(run, DELIVERED, true, NOW + 1);
    expect(record).toEqual({
      ...{ owner: "usr_a", version: 7, health: HEALTHY, proven: true, retire: null, atMillis: NOW + 1 },
    });
    expect(healthRecord(run, DELIVERED, true, NOW + 2)).toBeNull();
    expect(healthRecord(run, DELIVERED, false, NOW + 3)).toMatchObject({ proven: false });
    expect(healthRecord(run, DELIVERED, false, NOW + 4)).toBeNull();
  });

  const breaker = (failures: number, openUntilMillis: number | null) => ({
    ...DELIVERED,
    health: { ...HEALTHY, breaker: { ...CLOSED_BREAKER, failures, openUntilMillis } },
  });
  it.each<readonly [string, AttemptVerdict]>([
    ["a failure", breaker(1, null)],
    ["a breaker that opens", breaker(0, NOW + 30_000)],
    ["a delivery that ran out of attempts", { ...DELIVERED, health: { ...HEALTHY, exhausted: true } }],
    ["going out of use", { ...DELIVERED, retire: "gone" }],
  ])("is written at once for %s", (_what, verdict) => {
    expect(healthRecord(written(), verdict, true, NOW + 1)).toMatchObject({
      health: verdict.health,
      retire: verdict.retire,
    });
  });

  it("is written at once when no delivery is out of attempts any more", () => {
    expect(healthRecord(written({ exhausted: true }), DELIVERED, true, NOW + 1)).not.toBeNull();
  });

  it("is written for one more success ten seconds after the last time", () => {
    const run = written();
    expect(healthRecord(run, DELIVERED, true, NOW + 9_999)).toBeNull();
    expect(healthRecord(run, DELIVERED, true, NOW + 10_000)).not.toBeNull();
    expect(healthRecord(run, DELIVERED, true, NOW + 19_999)).toBeNull();
    expect(healthRecord(run, DELIVERED, true, NOW + 20_000)).not.toBeNull();
  });
});

function waiting({ owner }: EndpointRun): ClaimedDelivery {
  return {
    ...{ owner, id: "dlv_1", eventId: "evt_1", body: "{}", attempt: 1, failures: 0 },
    ...{ trigger: "auto", recovering: false },
  };
}

/** The starts that are claimed for these endpoints, and how many of them have their place. */
function claimed(runs: readonly EndpointRun[], places = DEFAULT_PLACES) {
  const counter = placeCounter(places);
  const byOwner = new Map(runs.map((run) => [run.owner, run]));
  const clock = movingClock();
  const wanted = collectClaims({
    clock,
    counter,
    places,
    runs: byOwner,
    mayClaim: () => true,
  });
  return wanted.map(({ run, reserved, claim }) => [run.owner, reserved, claim.limit] as const);
}

describe("starts of an endpoint", () => {
  it("are claimed as soon as it is known, with the places that it may have", () => {
    expect(claimed([endpoint("usr_a")])).toEqual([["usr_a", 8, 8]]);
    expect(claimed([endpoint("usr_b", { proven: false })])).toEqual([["usr_b", 1, 1]]);
    expect(claimed([{ ...endpoint("usr_c"), hot: false }])).toEqual([]);
  });

  it("get up to 512 places at once, of all endpoints together", () => {
    const places = { perEndpoint: 7, total: 10_000, slowTotal: 10_000, forFirstPlaces: 0 };
    const reserved = claimed(
      Array.from({ length: 80 }, (_, place) => endpoint(`usr_${place}`)),
      places,
    ).map(([, places]) => places);
    expect([reserved.length, reserved.at(-1)]).toEqual([74, 1]);
    expect(reserved.reduce((sum, each) => sum + each)).toBe(512);
  });

  it("are claimed first for who has waited longest: who is served goes to the end", () => {
    const runs = new Map(
      [endpoint("usr_a"), { ...endpoint("usr_b"), hot: false }, endpoint("usr_c")].map((run) => [
        run.owner,
        run,
      ]),
    );
    const counter = placeCounter(DEFAULT_PLACES);
    collectClaims({ clock: movingClock(), counter, places: DEFAULT_PLACES, runs, mayClaim: () => true });
    expect([...runs.keys()]).toEqual(["usr_b", "usr_a", "usr_c"]);
  });

  it("follow how long attempts take, the last one by a fifth", () => {
    const run = endpoint("usr_a");
    smoothAttemptMillis(run, 1_250);
    expect(run.attemptMillis).toBe(450);
    smoothAttemptMillis(run, 0);
    expect(run.attemptMillis).toBe(360);
  });

  /** All its places are taken, and so many starts wait. */
  const saturated = (attemptMillis: number, queued = 0): EndpointRun => {
    const run = endpoint("usr_a");
    const counter = placeCounter(DEFAULT_PLACES);
    while (counter.take(run));
    run.queue.push(...Array.from({ length: queued }, () => ({ delivery: waiting(run), claimedAt: 0 })));
    return { ...run, attemptMillis };
  };

  it.each([
    ["eight where an attempt takes long", 250, 8],
    ["what it can answer within 100 ms", 20, 40],
    ["not more than 64", 1, 64],
    ["not more than 64 where an attempt takes no time", 0, 64],
    ["a start more for a part of one", 18, 45],
  ])("are claimed ahead of their places: %s", (_what, attemptMillis, ahead) => {
    expect(claimed([saturated(attemptMillis)])).toEqual([["usr_a", 0, ahead]]);
  });

  it("are claimed ahead again once half of them is used", () => {
    expect(claimed([saturated(20, 21)])).toEqual([]);
    expect(claimed([saturated(20, 20)])).toEqual([["usr_a", 0, 20]]);
  });

  it("are not claimed while others of it wait for their place", () => {
    const { queue } = saturated(250, 1);
    expect(claimed([{ ...endpoint("usr_a"), queue }])).toEqual([]);
  });

  it("are not claimed any more once the loop stops, whatever is due", async () => {
    const run = endpoint("usr_a");
    const stop = new AbortController();
    const answers: ((deliveries: readonly ClaimedDelivery[]) => void)[] = [];
    const claim = () => new Promise<readonly ClaimedDelivery[]>((resolve) => answers.push(resolve));
    const sent: string[] = [];
    const claiming = new Claiming({
      ...{ clock: movingClock(), counter: placeCounter(DEFAULT_PLACES), places: DEFAULT_PLACES },
      ...{
        runs: new Map([[run.owner, run]]),
        mayClaim: () => true,
        signal: stop.signal,
        isBehind: () => false,
      },
      logger: silentLogger,
      store: { claim },
      sender: { send: (_run, { eventId }) => sent.push(eventId), enqueue: () => undefined },
    });
    claiming.request();
    stop.abort();
    let isEnded = false;
    const ended = claiming.ended().then(() => {
      isEnded = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isEnded).toBe(false);
    const all = Array.from({ length: 8 }, (_, place) => ({ ...waiting(run), eventId: `evt_${place}` }));
    answers[0]?.(all);
    await ended;
    claiming.request();
    await claiming.ended();
    expect([answers.length, sent.length]).toEqual([1, 8]);
  });

  it("are not claimed ahead for an endpoint that is slow or new", () => {
    expect(claimed([{ ...saturated(20), standing: "slow" }])).toEqual([]);
    expect(claimed([{ ...saturated(20), standing: "new" }])).toEqual([]);
  });
});
