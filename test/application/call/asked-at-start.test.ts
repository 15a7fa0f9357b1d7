import { beforeEach, describe, expect, it } from "vitest";
import { lookAtStart } from "../../../application/call/watchdog/look-at-start.ts";
import { callStream } from "../../../application/log/stream-names.ts";
import type { Slot } from "../../../domain/admission/requests.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import { callEnd, dialingBegan, singleRequest } from "../../projections/example-events.ts";
import { memoryLog } from "../../support/memory-log.ts";

const NOT_ASKED = "the carrier was not asked at the start; the call is looked at in its time";

const AT = "2026-09-01T10:00:00.000Z";

let log = memoryLog();
beforeEach(() => {
  log = memoryLog();
});
const store = (id: CallId, ...events: readonly CallEvent[]) => log.store(callStream(id), ...events);

describe("whoever starts asks the carrier about", () => {
  const slotOf = (id: CallId): Slot => ({
    callId: id,
    owner: "usr_1",
    campaignId: null,
    dialAt: AT,
    dialBy: AT,
    nextLookAt: AT,
  });
  async function asked(ids: readonly CallId[], { fails = false, stops = false } = {}) {
    const stop = new AbortController();
    const found: CallId[] = [];
    const atOnce: number[] = [];
    let open = 0;
    const looked: unknown[] = [];
    const admission = {
      dueLooks: async (until: string, limit: number) => {
        looked.push([until, limit]);
        if (fails) throw new Error("away");
        return ids.map(slotOf);
      },
    };
    const ask = async ({ callId: id }: Slot) => {
      open += 1;
      atOnce.push(open);
      await Promise.resolve();
      open -= 1;
      if (stops) stop.abort();
      if (id === "call_0") throw new Error("broken");
      found.push(id);
    };
    const { clock, logger, aggregates } = log;
    await lookAtStart({ admission, calls: aggregates.calls, clock, logger }, ask, stop.signal);
    return { found, looked, most: Math.max(0, ...atOnce) };
  }
  const out = async (count: number) => {
    const ids = Array.from({ length: count }, (_, n): CallId => `call_${n}`);
    for (const id of ids) await store(id, singleRequest(id), dialingBegan(id, AT));
    return ids;
  };

  it("every call that is out, and no other, twenty at once", async () => {
    const ids = await out(45);
    await store("call_new", singleRequest("call_new"));
    await store(
      "call_over",
      singleRequest("call_over"),
      dialingBegan("call_over", AT),
      callEnd("call_over", AT, "busy", null),
    );
    const { found, looked, most } = await asked([...ids, "call_new", "call_over", "call_none"]);
    expect(found.toSorted()).toEqual(ids.slice(1).toSorted());
    expect(most).toBeLessThanOrEqual(20);
    expect(looked).toEqual([[plusMillis(log.clock.now(), 24 * 3_600_000), 2_000]]);
  });

  it("the others when it fails for one, and says so", async () => {
    const { found } = await asked(await out(2));
    expect(found).toEqual(["call_1"]);
    expect(log.said.at(-1)).toMatchObject(["warn", NOT_ASKED, { callId: "call_0" }]);
  });

  it("no more of them when it stops", async () => {
    const { found } = await asked(await out(45), { stops: true });
    expect(found).toHaveLength(19);
  });

  it("nobody while the calls cannot be found out, and fails nobody", async () => {
    const { found } = await asked(await out(2), { fails: true });
    expect(found).toEqual([]);
    expect(log.said.at(-1)).toMatchObject(["warn", NOT_ASKED, { callId: null }]);
  });
});
