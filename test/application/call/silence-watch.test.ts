import { beforeEach, describe, expect, it } from "vitest";
import { createSilenceWatch } from "../../../application/call/watchdog/silence-watch.ts";
import type { Slot } from "../../../domain/admission/requests.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { callEnd, connected, sessionBegan, sessionEnded, talking } from "../../projections/example-events.ts";
import { movingClock } from "../../support/moving-clock.ts";

const callId: CallId = "call_1";
const AWAY = new Error("away");
let clock: ReturnType<typeof movingClock>;
/** Calls that are to be looked at, each time at once. */
let looks: CallId[];
let woken: number;
let live: Slot[];
let fails: boolean;
let errors: unknown[];
let watch: ReturnType<typeof createSilenceWatch>;

const settled = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const pass = async (millis: number) => {
  await settled();
  clock.advance(millis);
  await settled();
};
const hear = (...events: readonly CallEvent[]) => events.forEach(watch.hear);
const now = () => ({ callId, at: clock.now(), epoch: 1 });
const answer = () => connected(callId, clock.now(), "ref");
const end = () => callEnd(callId, clock.now(), "customer_ended", 5);
const conversation = (epoch?: number): CallEvent => {
  const event = talking(callId, clock.now(), "ref");
  if (event.type !== "CallConversationStarted") throw new Error(event.type);
  return epoch === undefined ? event : { ...event, data: { ...event.data, epoch } };
};

beforeEach(async () => {
  clock = movingClock();
  [looks, woken, live, fails, errors] = [[], 0, [], false, []];
  watch = createSilenceWatch({
    admission: {
      dueLooks: async (until) => {
        if (fails) throw AWAY;
        expect(until).toBe(plusMillis(clock.now(), 24 * 3_600_000));
        return live;
      },
      setNextLooks: async (next) => {
        if (fails) throw AWAY;
        for (const look of next) {
          expect(look.at).toBe(clock.now());
          looks.push(look.callId);
        }
      },
    },
    wakeWatchdogBy: () => {
      woken += 1;
    },
    clock,
    logger: { ...silentLogger, error: (...line) => void errors.push(line) },
    longestWaitMillis: 60_000,
  });
});
const run = async () => {
  void watch.run(new AbortController().signal);
  await settled();
};

describe("an answered call", () => {
  beforeEach(run);

  it("is looked at after 10 s without a conversation, once", async () => {
    hear(answer());
    await pass(9_999);
    expect([looks, woken]).toEqual([[], 0]);
    await pass(1);
    expect([looks, woken]).toEqual([[callId], 1]);
    await pass(60_000);
    expect(looks).toEqual([callId]);
  });

  it("is left alone once its conversation has begun, by the carrier or by a session of ours", async () => {
    hear(answer(), conversation());
    await pass(20_000);
    hear(answer(), conversation(1));
    await pass(20_000);
    expect([looks, woken]).toEqual([[], 0]);
  });

  it("is looked at in time though a session opened, or opened and closed, that says nothing", async () => {
    hear(answer(), sessionBegan(now(), null));
    await pass(10_000);
    expect(looks).toHaveLength(1);
    hear(answer(), sessionBegan(now(), null), sessionEnded(now(), "session_lost"));
    await pass(5_000);
    expect(looks).toHaveLength(1);
    await pass(5_000);
    expect(looks).toHaveLength(2);
  });

  it("is left alone once it is over, well or not", async () => {
    hear(answer(), end());
    await pass(20_000);
    hear(answer(), callEnd(callId, clock.now(), "carrier_error", null));
    hear(callEnd("call_unanswered", clock.now(), "no_answer", null));
    await pass(20_000);
    expect(looks).toEqual([]);
  });

  it("is looked at in its own time though others were answered after it", async () => {
    hear(answer());
    await pass(5_000);
    hear(connected("call_2", clock.now(), "ref"));
    await pass(5_000);
    expect(looks).toEqual([callId]);
    await pass(5_000);
    expect(looks).toEqual([callId, "call_2"]);
  });
});

describe("a session that closes", () => {
  beforeEach(run);
  const talk = () => hear(answer(), conversation(1));

  it("makes the call be looked at after 5 s, unless the next one opens before", async () => {
    talk();
    hear(sessionEnded(now(), "session_lost"));
    await pass(4_999);
    expect(looks).toEqual([]);
    await pass(1);
    expect(looks).toEqual([callId]);
    talk();
    hear(sessionEnded(now(), "session_lost"));
    await pass(4_000);
    hear(sessionBegan(now(), 4_000));
    await pass(20_000);
    expect(looks).toEqual([callId]);
  });

  it("after its call does not make it be looked at, whenever it closes", async () => {
    talk();
    hear(end());
    await pass(3_000);
    hear(sessionEnded(now(), "hung_up"));
    await pass(30_000);
    talk();
    hear(end());
    await pass(30_000);
    expect([looks, woken, errors]).toEqual([[], 0, []]);
  });

  it("counts the same in a call whose answer another process heard", async () => {
    hear(sessionEnded(now(), "session_lost"));
    await pass(5_000);
    expect(looks).toEqual([callId]);
    hear(sessionBegan(now(), null), end(), sessionEnded(now(), "hung_up"));
    await pass(30_000);
    expect(looks).toEqual([callId]);
  });
});

describe("whoever starts", () => {
  const slot = (id: CallId): Slot => {
    const at = clock.now();
    return { callId: id, owner: "usr_1", campaignId: null, dialAt: at, dialBy: at, nextLookAt: at };
  };

  it("looks at every live call once", async () => {
    live = [slot("call_1"), slot("call_2")];
    await run();
    expect([looks, woken]).toEqual([["call_1", "call_2"], 1]);
  });

  it("wakes nobody where there is none", async () => {
    await run();
    expect(woken).toBe(0);
  });

  it("tries again a second later while the store is away, and misses nothing that it hears meanwhile", async () => {
    live = [slot("call_2")];
    fails = true;
    await run();
    hear(answer());
    await pass(999);
    fails = false;
    expect(looks).toEqual([]);
    expect(errors).toEqual([[{ error: AWAY }, "live calls not looked at; tries again"]]);
    await pass(1);
    expect(looks).toEqual(["call_2"]);
    await pass(9_000);
    expect(looks).toEqual(["call_2", "call_1"]);
  });
});

it("a silent call is looked at a second later when the store was away", async () => {
  await run();
  hear(answer());
  fails = true;
  await pass(10_000);
  fails = false;
  await pass(999);
  expect([looks, woken]).toEqual([[], 0]);
  expect(errors).toEqual([[{ error: AWAY }, "silent calls not looked at; tries again"]]);
  await pass(1);
  expect([looks, woken]).toEqual([[callId], 1]);
});
