import { describe, expect, it } from "vitest";
import type { CallDialing } from "../../../../application/call/call-dialing.ts";
import { createCallStarts, type RecordedDial } from "../../../../application/campaign/runner/call-starts.ts";
import type { CallEnd, RunnerDeps } from "../../../../application/campaign/runner/runner-deps.ts";
import { EventStoreError } from "../../../../application/ports/event-store.ts";
import type { CallRequested } from "../../../../domain/call/events.ts";
import type { ContactDialed } from "../../../../domain/campaign/events.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";
import {
  at,
  contact,
  created,
  creation,
  dialed,
  imported,
  started,
} from "../../../domain/campaign/example-campaign.ts";
import { oneCarrier } from "../../../support/one-carrier.ts";
import { OWNER, PHONE_NUMBER, pass, QUIET_CARRIER } from "../../engine-world.ts";
import { runnerParts } from "./runner-parts.ts";
import { STREAM } from "./runner-world.ts";

/** Its turn comes two seconds after the beginning of the test, and it may be dialled until 15 s later. */
function dialOf(number: number): ContactDialed["data"] {
  const event = dialed(number);
  if (event.type !== "ContactDialed") throw new Error("no dial");
  return event.data;
}
const DIAL = dialOf(1);
const TOO_LARGE = new EventStoreError({ kind: "too_large", what: "event", bytes: 2, limit: 1 });
const GONE = new EventStoreError({ kind: "deleted", stream: "call-call_1" });

type Begun = {
  readonly millis: number;
  readonly request: CallRequested["data"];
  readonly origin: Parameters<CallDialing["begin"]>[1];
  readonly options: Parameters<CallDialing["begin"]>[2];
};

/** Dials that fail as told, one after another; the others begin. */
async function world(
  failures: readonly (Error | null)[] = [],
  differing: (deps: RunnerDeps) => Partial<RunnerDeps> = () => ({}),
) {
  const begun: Begun[] = [];
  const ends: CallEnd[] = [];
  const closed: CallId[] = [];
  const texts: unknown[] = [];
  const [lost, stopped] = [new AbortController(), new AbortController()];
  const parts = runnerParts((deps) => ({
    admission: {
      ...deps.admission,
      close: async (all) => void closed.push(...all.map(({ callId }) => callId)),
    },
    texts: async (...asked) => {
      texts.push(asked);
      return null;
    },
    dialing: {
      ...deps.dialing,
      stopped: stopped.signal,
      begin: async (request, origin, options) => {
        begun.push({ millis: deps.clock.monotonicMillis(), request, origin, options });
        const failure = failures[begun.length - 1];
        if (failure === null) return null;
        if (failure !== undefined) throw failure;
        const handled = { events: [], revision: 0, position: "0" };
        return { handled, handedOver: Promise.resolve() };
      },
    },
    ...differing(deps),
  }));
  await parts.store(STREAM, ...created([contact(1)], {}), started);
  const starts = createCallStarts(parts.deps, async (end) => void ends.push(end), lost.signal);
  const passed = (millis: number) => pass(parts.stores, millis);
  return {
    ...parts,
    starts,
    begun,
    ends,
    closed,
    texts,
    passed,
    lose: () => lost.abort(),
    stopDialling: () => stopped.abort(),
    /** Starts it and waits until its turn has come. */
    start: async (changes: Partial<RecordedDial> = {}) => {
      starts.start({ dial: DIAL, checkedAt: 2_000, connectionId: null, ...changes });
      await passed(2_000);
    },
  };
}

describe("a recorded dial", () => {
  it("begins when its turn comes, once, in the name of the campaign", async () => {
    const { starts, begun, passed, texts } = await world();
    const dial = { dial: DIAL, checkedAt: 1_500, connectionId: null };
    starts.start(dial);
    starts.start(dial);
    let all = false;
    void starts.allBegun().then(() => {
      all = true;
    });
    await passed(1_999);
    expect([begun, all]).toEqual([[], false]);
    await passed(2);
    expect([begun.length, all]).toEqual([1, true]);
    expect(begun[0]).toMatchObject({
      request: {
        callId: "call_1",
        to: "+14155550101",
        contactName: null,
        customData: {},
        connectionId: null,
        at: at(2),
      },
      origin: { owner: OWNER, actor: "process:campaign-runner", correlationId: "cmp_1", causationId: null },
      options: { expectNew: true, suppressed: false, invalidText: null },
    });
    expect(begun[0]?.request).not.toHaveProperty("pinned");
    expect(texts).toEqual([["cmp_1", 0, "ctc_1"]]);
  });

  it("may be started again when it has begun: whoever takes over afresh does so", async () => {
    const { begun, start } = await world();
    await start();
    await start();
    expect(begun).toHaveLength(2);
  });

  it("has its contact's texts where they were imported", async () => {
    const { store, starts, texts, passed } = await world();
    const { campaignId } = DIAL;
    const added = {
      campaignId,
      importId: "imp_2",
      added: 1,
      rejected: { count: 0, items: [] },
      at: at(3),
    } as const;
    await store(STREAM, imported([contact(2)], "imp_2"), { type: "ContactsAdded", data: added });
    for (const number of [2, 3])
      starts.start({ dial: { ...dialOf(number), dialAt: at(0) }, checkedAt: 0, connectionId: null });
    await passed(1);
    expect(texts).toEqual([
      ["cmp_1", 3, "ctc_2"],
      ["cmp_1", -1, "ctc_3"],
    ]);
  });

  it("goes through what its number calls through, and has the conversation of its campaign", async () => {
    const { stores, begun, start, starts, passed } = await world([], () => ({
      conversations: async () => "pin_1",
    }));
    const number = { phoneNumber: "+15005550000", active: true } as const;
    stores.directory.setPhoneNumber(OWNER, PHONE_NUMBER, { ...number, connectionId: "conn_1" });
    starts.start({ dial: DIAL, checkedAt: null });
    await passed(2_000);
    stores.directory.setPhoneNumber(OWNER, PHONE_NUMBER, null);
    starts.start({ dial: DIAL, checkedAt: null });
    await passed(10);
    await start({ connectionId: "conn_2" });
    expect(begun.map(({ request }) => [request.connectionId, request.pinned])).toEqual([
      ["conn_1", "pin_1"],
      [null, "pin_1"],
      ["conn_2", "pin_1"],
    ]);
  });
});

describe("the texts of a call", () => {
  const campaignId = "cmp_2" as const;
  /** A campaign that says this to contacts of whom that is known. */
  async function saying(specialInstructions: string, city: string) {
    const contacts = [contact(1)];
    const known = await world([], () => ({
      texts: async () => contact(1, { name: "Zoë", customData: { city } }),
    }));
    await known.store(
      "campaign-cmp_2",
      {
        type: "ContactsImported",
        data: { campaignId, importId: "imp_1", firstIndex: 0, contacts, at: at(-2) },
      },
      {
        type: "CampaignCreated",
        data: { ...creation(1), campaignId, greetingMessage: "Hello {{name}}", specialInstructions },
      },
    );
    await known.start({ dial: { ...DIAL, campaignId } });
    return known.begun;
  }

  it("are filled with what is known of its contact", async () => {
    const texts = { greetingMessage: "Hello Zoë", specialInstructions: "About Rome", voicemailMessage: null };
    expect(await saying("About {{city}}", "Rome")).toMatchObject([
      {
        request: { ...texts, contactName: "Zoë", customData: { city: "Rome" } },
        options: { invalidText: null },
      },
    ]);
  });

  it("that are too long when they are filled are left out, and the call says why", async () => {
    expect(await saying("{{city}}".repeat(3), "x".repeat(16_000))).toMatchObject([
      {
        request: { greetingMessage: "", specialInstructions: null },
        options: { invalidText: "specialInstructions is longer than 32768 bytes when it is filled" },
      },
    ]);
  });
});

describe("the do-not-call list", () => {
  it.each([
    ["a second ago is not asked again", 1_000, false],
    ["longer ago is asked once more", 999, true],
    ["never is asked", null, true],
  ] as const)("that was asked for the number %s", async (_, checkedAt, suppressed) => {
    const { stores, begun, start } = await world();
    stores.directory.suppress(OWNER, DIAL.phoneNumber);
    await start({ checkedAt });
    expect(begun.map(({ options }) => options.suppressed)).toEqual([suppressed]);
  });
});

describe("a dial that is left to the next process", () => {
  const LEFT = { failure: { kind: "unavailable", cause: "dials were left to the next process" } };

  it("because the campaign was lost is not begun, and who waits for it hears so", async () => {
    const { starts, begun, lose, passed } = await world();
    starts.start({ dial: DIAL, checkedAt: null });
    lose();
    await expect(starts.allBegun()).rejects.toMatchObject(LEFT);
    await passed(3_000);
    expect(begun).toEqual([]);
  });

  it("because this one dials nobody any more is not begun", async () => {
    const { starts, begun, stopDialling, passed } = await world();
    starts.start({ dial: DIAL, checkedAt: null });
    stopDialling();
    await expect(starts.allBegun()).rejects.toMatchObject(LEFT);
    await passed(3_000);
    expect(begun).toEqual([]);
  });

  it("in its last moment is told as well", async () => {
    const { starts, start } = await world([null]);
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
    const late = await world([], slow);
    const lost = await world([], slow);
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
    const { begun, said, ends, start, passed } = await world([new TypeError("away")]);
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
    const { begun, ends, closed, start } = await world([TOO_LARGE]);
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
    const { begun, ends, closed, said, deps, start, starts } = await world([TOO_LARGE, TOO_LARGE]);
    await start();
    const end = {
      callId: "call_1",
      contactId: "ctc_1",
      endReason: "invalid_text",
      durationSeconds: null,
      cost: 0,
    };
    expect(ends).toEqual([{ ...end, endedAt: at(2), causationId: null }]);
    expect([begun.length, closed, deps.leftAside.count("campaign-runner")]).toEqual([2, ["call_1"], 1]);
    expect(said.at(-1)).toMatchObject([
      "error",
      "left aside for good",
      { callId: "call_1", error: TOO_LARGE },
    ]);
    await starts.allBegun();
  });

  it("because its stream is gone ends the attempt, and its slot is left to the watchdog", async () => {
    const { ends, closed, start } = await world([GONE]);
    await start();
    expect(ends).toMatchObject([{ endReason: "outcome_unknown", cost: 0, endedAt: at(2) }]);
    expect(closed).toEqual([]);
  });

  it("ends the attempt also when its slot cannot be given back", async () => {
    const { ends, said, start, starts } = await world([TOO_LARGE, TOO_LARGE], ({ admission }) => ({
      admission: { ...admission, close: () => Promise.reject(new TypeError("away")) },
    }));
    await start();
    expect(ends).toHaveLength(1);
    const why = { callId: "call_1", error: new TypeError("away") };
    expect(said.at(-1)).toEqual(["warn", "slot not given back; the watchdog frees it", why]);
    await starts.allBegun();
  });

  it("because nothing is known of its campaign waits until that is so", async () => {
    const { starts, begun, said, passed } = await world();
    starts.start({ dial: { ...DIAL, campaignId: "cmp_2", dialAt: at(0) }, checkedAt: 0 });
    await passed(400);
    expect(begun).toEqual([]);
    expect(said).toMatchObject([
      ["error", "call not started; tries again", { error: new Error("campaign cmp_2 has no settings") }],
    ]);
  });
});
