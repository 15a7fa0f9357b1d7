import { describe, expect, it } from "vitest";
import type { RunnerDeps } from "../../../../application/campaign/runner/runner-deps.ts";
import { at } from "../../../domain/campaign/example-campaign.ts";
import { oneCarrier } from "../../../support/one-carrier.ts";
import { QUIET_CARRIER } from "../../engine-world.ts";
import { DIAL, GONE, startsOf, TOO_LARGE } from "./call-starts-world.ts";

describe("a dial that is left to the next process", () => {
  const LEFT = { failure: { kind: "unavailable", cause: "dials were left to the next process" } };

  it("because the campaign was lost is not begun, and who waits for it hears so", async () => {
    const { starts, begun, lose, passed } = await startsOf();
    starts.start({ dial: DIAL, checkedAt: null });
    lose();
    await expect(starts.allBegun()).rejects.toMatchObject(LEFT);
    await passed(3_000);
    expect(begun).toEqual([]);
  });

  it("because this one dials nobody any more is not begun", async () => {
    const { starts, begun, stopDialling, passed } = await startsOf();
    starts.start({ dial: DIAL, checkedAt: null });
    stopDialling();
    await expect(starts.allBegun()).rejects.toMatchObject(LEFT);
    await passed(3_000);
    expect(begun).toEqual([]);
  });

  it("in its last moment is told as well", async () => {
    const { starts, start } = await startsOf([null]);
    await start();
    await expect(starts.allBegun()).rejects.toMatchObject(LEFT);
  });

  it("while it waits for another turn is not begun", async () => {
    const can = { ...QUIET_CARRIER.can, callsPerSecond: 1 };
    const slow = (deps: RunnerDeps) => ({
      carriers: oneCarrier({
        ...QUIET_CARRIER,
        can,
        placeCall: async () => ({ kind: "unknown", cause: "x", noAnswerAtAll: false }),
      }),
      admission: { ...deps.admission, takeTurn: async () => at(10) },
    });
    const late = await startsOf([], slow);
    const lost = await startsOf([], slow);
    for (const { passed, starts } of [late, lost]) {
      await passed(4_000);
      starts.start({ dial: DIAL, checkedAt: null });
      await passed(5_999);
    }
    expect([late.begun, lost.begun]).toEqual([[], []]);
    lost.lose();
    for (const { passed } of [late, lost]) await passed(1_000);
    expect([late.begun.length, lost.begun.length]).toEqual([1, 0]);
  });
});

describe("a dial that fails to begin", () => {
  it("is tried again in half a second with all that it has to say", async () => {
    const { begun, said, ends, start, passed } = await startsOf([new TypeError("away")]);
    await start();
    expect(said).toMatchObject([
      ["error", "call not started; tries again", { callId: "call_1", error: new TypeError("away") }],
    ]);
    await passed(501);
    expect(begun.map(({ millis, options }) => [millis, options.expectNew, options.invalidText])).toEqual([
      [2_000, true, null],
      [2_500, false, null],
    ]);
    expect([begun[1]?.request.greetingMessage, ends]).toEqual(["Hello", []]);
  });

  it("because the log takes no such call is stored at once without its texts", async () => {
    const { begun, ends, closed, start } = await startsOf([TOO_LARGE]);
    await start();
    expect(begun.map(({ millis }) => millis)).toEqual([2_000, 2_000]);
    expect(begun[1]).toMatchObject({
      request: {
        greetingMessage: "",
        specialInstructions: null,
        voicemailMessage: null,
        customData: null,
        metadata: {},
      },
      options: { expectNew: false, invalidText: `The log takes no such call: ${TOO_LARGE.message}` },
    });
    expect([ends, closed]).toEqual([[], []]);
  });

  it("also without its texts ends the attempt, and its slot is free", async () => {
    const { begun, ends, closed, said, deps, start, starts } = await startsOf([TOO_LARGE, TOO_LARGE]);
    await start();
    const end = {
      callId: "call_1",
      contactId: "ctc_1",
      endReason: "invalid_text",
      durationSeconds: null,
      cost: 0,
    };
    expect(ends).toEqual([{ ...end, endedAt: at(2), causationId: null }]);
    expect([begun.length, closed, deps.givenUp.count("campaign-runner")]).toEqual([2, ["call_1"], 1]);
    expect(said.at(-1)).toMatchObject([
      "error",
      "left aside for good",
      { callId: "call_1", error: TOO_LARGE },
    ]);
    await starts.allBegun();
  });

  it("because its stream is gone ends the attempt, and its slot is left to the watchdog", async () => {
    const { ends, closed, start } = await startsOf([GONE]);
    await start();
    expect(ends).toMatchObject([{ endReason: "outcome_unknown", cost: 0, endedAt: at(2) }]);
    expect(closed).toEqual([]);
  });

  it("ends the attempt also when its slot cannot be given back", async () => {
    const { ends, said, start, starts } = await startsOf([TOO_LARGE, TOO_LARGE], ({ admission }) => ({
      admission: { ...admission, close: () => Promise.reject(new TypeError("away")) },
    }));
    await start();
    expect(ends).toHaveLength(1);
    const why = { callId: "call_1", error: new TypeError("away") };
    expect(said.at(-1)).toEqual(["warn", "slot not given back; the watchdog frees it", why]);
    await starts.allBegun();
  });

  it("because nothing is known of its campaign waits until that is so", async () => {
    const { starts, begun, said, passed } = await startsOf();
    starts.start({ dial: { ...DIAL, campaignId: "cmp_2", dialAt: at(0) }, checkedAt: 0 });
    await passed(400);
    expect(begun).toEqual([]);
    expect(said).toMatchObject([
      ["error", "call not started; tries again", { error: new Error("campaign cmp_2 has no settings") }],
    ]);
  });
});
