import { beforeEach, describe, expect, it } from "vitest";
import { createCallDialing } from "../../../application/call/call-dialing.ts";
import { createCarrierHealth } from "../../../application/call/health/carrier-health.ts";
import type { PlaceCallResult } from "../../../application/ports/carrier.ts";
import type { Carriers } from "../../../application/ports/carriers.ts";
import type { EventStore } from "../../../application/ports/event-store.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { REQUEST } from "../../domain/call/example-call.ts";
import { oneCarrier } from "../../support/one-carrier.ts";
import {
  engineProcess,
  OWNER,
  openEvents,
  QUIET_CARRIER,
  sharedStores,
  typesOf,
  until,
} from "../engine-world.ts";

const CALL = "call_1";
const STREAM = `call-${CALL}`;
const WAY = { key: "simulated", owner: OWNER, connectionId: null };
const ACCEPTED: PlaceCallResult = { kind: "accepted", carrierRef: "ref" };

function dialWorld() {
  const stores = sharedStores();
  const { clock } = stores;
  const stop = new AbortController();
  const carrierHealth = createCarrierHealth();
  const seen = { farSides: 0, placed: 0, reads: 0 };
  /** What happens while each of them is asked. */
  const during: { farSide: () => void; append: () => void; dial: () => Promise<PlaceCallResult> } = {
    farSide: () => undefined,
    append: () => undefined,
    dial: async () => ACCEPTED,
  };
  const wrapStore = (store: EventStore): EventStore => ({
    ...store,
    read: async (...asked) => {
      seen.reads += 1;
      return store.read(...asked);
    },
    append: async (...asked) => {
      during.append();
      return store.append(...asked);
    },
  });
  const engine = engineProcess(stores, { works: false, wrapStore });
  const carriers = oneCarrier({
    ...QUIET_CARRIER,
    instance: async () => {
      seen.farSides += 1;
      during.farSide();
      return "here";
    },
    placeCall: () => {
      seen.placed += 1;
      return during.dial();
    },
  });
  return {
    stores,
    stop,
    carrierHealth,
    seen,
    during,
    sink: engine.sink,
    events: () => openEvents(stores, STREAM),
    dial: async ({
      route = carriers.route,
      ...options
    }: {
      readonly route?: Carriers["route"];
      readonly invalidText?: string;
    } = {}) => {
      const dialing = createCallDialing({
        calls: engine.aggregates.calls,
        carriers: { route },
        carrierHealth,
        pinnedConversations: { read: async () => null },
        clock,
        logger: silentLogger,
        admission: stores.admission,
        policies: stores.policies,
        lists: stores.lists,
        stopDialing: stop.signal,
      });
      const now = clock.now();
      const request = { ...REQUEST, dialAt: now, dialBy: plusMillis(now, 15_000), at: now };
      const origin = { owner: OWNER, actor: "test", correlationId: "c", causationId: null };
      const asked = { expectNew: true, suppressed: false, ...options };
      const begun = await until(stores, dialing.begin(request, origin, asked));
      await until(stores, dialing.allHandedOver());
      return begun;
    },
  };
}

let world: ReturnType<typeof dialWorld>;
beforeEach(() => {
  world = dialWorld();
});

describe("a process that does not dial any more", () => {
  it("asks no carrier for its far side, and stores nothing", async () => {
    world.stop.abort();
    expect(await world.dial()).toBeNull();
    expect([world.seen.farSides, typesOf(world.stores, STREAM)]).toEqual([0, []]);
  });

  it("stores nothing either when it is stopped while the carrier tells its far side", async () => {
    world.during.farSide = () => world.stop.abort();
    expect(await world.dial()).toBeNull();
    expect([world.seen.farSides, typesOf(world.stores, STREAM)]).toEqual([1, []]);
  });

  it("sends nothing after the append, says so in the log, and holds it against no carrier", async () => {
    for (let dial = 1; dial <= 4; dial += 1) world.carrierHealth.sawNobody(WAY);
    world.during.append = () => world.stop.abort();
    await world.dial();
    expect(world.seen.placed).toBe(0);
    const message = "The service was stopped before it dialled";
    expect(world.events().at(-1)).toMatchObject({
      type: "CallFailed",
      data: { endReason: "not_placed", error: { message } },
    });
    expect(world.carrierHealth.unavailable(WAY.key)).toBe(false);
  });
});

describe("a call that cannot be dialled", () => {
  it("because its texts are not valid fails with that word, and nobody is rung", async () => {
    await world.dial({ invalidText: "greetingMessage is too long" });
    expect(world.events()).toMatchObject([
      { type: "CallRequested" },
      {
        type: "CallFailed",
        data: { endReason: "invalid_text", error: { message: "greetingMessage is too long" } },
      },
    ]);
    expect(world.seen.placed).toBe(0);
  });

  it("because its connection was deleted fails as not placed, and no carrier counts as away for it", async () => {
    for (let dial = 1; dial <= 4; dial += 1) world.carrierHealth.sawNobody(WAY);
    await world.dial({ route: async () => null });
    expect(world.events().at(-1)).toMatchObject({ type: "CallFailed", data: { endReason: "not_placed" } });
    expect([world.seen.placed, world.carrierHealth.unavailable(WAY.key)]).toEqual([0, false]);
  });
});

describe("a reply after the carrier's own word that the call rings", () => {
  const readsAfter = async (result: PlaceCallResult) => {
    let before = 0;
    world.during.dial = async () => {
      const rings = {
        callId: CALL,
        carrierRef: "ref",
        sequence: 1,
        dedupeKey: "1",
        type: "ringing",
      } as const;
      await world.sink({ ...rings, occurredAt: world.stores.clock.now() });
      before = world.seen.reads;
      return result;
    };
    await world.dial();
    expect(typesOf(world.stores, STREAM)).toEqual(["CallRequested", "CallDialingBegan", "CallRinging"]);
    return world.seen.reads - before;
  };

  it("costs no look into the log when it says the same, and one when it says something else", async () => {
    expect(await readsAfter(ACCEPTED)).toBe(0);
    world = dialWorld();
    const refusal = { endReason: "busy", carrierCode: "486", message: "Busy", noAnswerAtAll: false } as const;
    expect(await readsAfter({ kind: "rejected", ...refusal })).toBe(1);
  });
});
