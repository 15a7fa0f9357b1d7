import { describe, expect, it } from "vitest";
import type { BegunCall } from "../../../../application/call/call-dialing.ts";
import {
  at,
  contact,
  creation,
  imported,
  OTHER_ASSISTANT,
} from "../../../domain/campaign/example-campaign.ts";
import { OWNER, PHONE_NUMBER } from "../../engine-world.ts";
import { DIAL, dialOf, startsOf } from "./call-starts-world.ts";
import { STREAM } from "./runner-world.ts";

type Begin = PromiseWithResolvers<BegunCall | null>;

describe("a recorded dial", () => {
  it("begins when its turn comes, once, in the name of the campaign", async () => {
    const { starts, begun, passed, texts } = await startsOf();
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
    const { begun, start } = await startsOf();
    await start();
    await start();
    expect(begun).toHaveLength(2);
  });

  it.each([
    ["it has begun", (begin?: Begin) => begin?.resolve(null)],
    ["it has failed once", (begin?: Begin) => begin?.reject(new TypeError("away"))],
  ])("is one of those that all campaigns have on their way from its turn until %s", async (_, ends) => {
    const begins: Begin[] = [];
    const { starts, deps, passed } = await startsOf([], ({ dialing }) => ({
      dialing: {
        ...dialing,
        begin: () => {
          const begin = Promise.withResolvers<BegunCall | null>();
          begins.push(begin);
          return begin.promise;
        },
      },
    }));
    const woken: number[] = [];
    const campaign = { wake: () => void woken.push(begins.length) };
    const entered = (): number => {
      const count = deps.startLimit.enter(campaign, 1);
      deps.startLimit.leave(count);
      return count;
    };
    for (let number = 1; number <= 51; number += 1) {
      const dial = { ...DIAL, callId: `call_${number}` } as const;
      starts.start({ dial, checkedAt: 2_000, connectionId: null });
    }
    await passed(1_999);
    expect([begins.length, entered()]).toEqual([0, 1]);
    await passed(10);
    expect([begins.length, entered()]).toEqual([51, 0]);
    ends(begins[0]);
    await passed(0);
    expect([woken, entered()]).toEqual([[51], 1]);
  });

  it("has its contact's texts where they were imported", async () => {
    const { store, starts, texts, passed } = await startsOf();
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
    const { stores, begun, start, starts, passed } = await startsOf([], () => ({
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

describe("a dial from before a change of texts, assistant and number", () => {
  it("is made as it was recorded, a later one as the campaign is now", async () => {
    const { store, starts, begun, passed } = await startsOf();
    const pins = { from: "+15005550111", assistant: OTHER_ASSISTANT, greetingMessage: "Good day" } as const;
    const data = { campaignId: DIAL.campaignId, at: at(1), changes: {}, pins };
    await store(STREAM, { type: "ContactDialed", data: DIAL }, { type: "CampaignSettingsChanged", data });
    starts.start({ dial: DIAL, checkedAt: 1_500, connectionId: null });
    starts.start({ dial: { ...DIAL, callId: "call_2" }, checkedAt: 1_500, connectionId: null });
    await passed(2_001);
    const made = begun.map(({ request }) => [
      request.callId,
      request.from,
      request.assistant.assistantId,
      request.greetingMessage,
    ]);
    expect(made).toEqual([
      ["call_1", "+15005550100", "ast_1", "Hello"],
      ["call_2", "+15005550111", "ast_2", "Good day"],
    ]);
  });
});

describe("the texts of a call", () => {
  const campaignId = "cmp_2" as const;
  /** A campaign that says this to contacts of whom that is known. */
  async function saying(specialInstructions: string, city: string) {
    const contacts = [contact(1)];
    const known = await startsOf([], () => ({
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
    const { stores, begun, start } = await startsOf();
    stores.directory.suppress(OWNER, DIAL.phoneNumber);
    await start({ checkedAt });
    expect(begun.map(({ options }) => options.suppressed)).toEqual([suppressed]);
  });
});
