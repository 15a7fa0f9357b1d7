import { beforeEach, describe, expect, it } from "vitest";
import { creditsToUnits } from "../../../domain/shared/credits.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  type Stores,
  sharedStores,
  until,
} from "../engine-world.ts";
import { campaignRequest, exampleContacts } from "../example-request.ts";

let stores: Stores;
let useCases: ReturnType<typeof engineProcess>["useCases"];
beforeEach(() => {
  stores = sharedStores({ credits: 1 });
  ({ useCases } = engineProcess(stores, { works: false }));
});

const codesOf = (warnings: readonly { readonly code: string }[]) => warnings.map(({ code }) => code);
const unfilled = (name: string, count: number) =>
  expect.objectContaining({ code: "placeholder_unfilled", count, message: expect.stringContaining(name) });

describe("the start of a campaign", () => {
  const start = async (caller = CALLER) => {
    const outcome = await until(stores, useCases.startCampaign(caller, "cmp_1"));
    return outcome.ok ? outcome.value.warnings : outcome.refusal.code;
  };

  it("warns of placeholders that contacts do not fill, as they stand in the log", async () => {
    const contacts = exampleContacts(3).map((contact, n) => ({
      ...contact,
      customData: n === 0 ? { city: "Rome" } : {},
    }));
    const request = campaignRequest(3, { contacts, greetingMessage: "Hello in {{city}}" });
    await until(stores, useCases.createCampaign(CALLER, request));
    expect(await start()).toContainEqual(unfilled("city", 2));
  });

  it("warns of contacts in a zone whose window never opens, each by its own zone", async () => {
    const window = { start: 9, end: 10, excludedDates: [], days: [] };
    const contacts = exampleContacts(3).map((contact, n) => ({
      ...contact,
      timezone: n === 0 ? "Asia/Tokyo" : null,
    }));
    const request = campaignRequest(3, { contacts, window, timezone: undefined, greetingMessage: "Hi" });
    await until(stores, useCases.createCampaign(CALLER, request));
    expect(await start()).toContainEqual(expect.objectContaining({ code: "timezone_defaulted", count: 2 }));
  });

  it("warns of too few credits by what is free before its first call", async () => {
    await until(stores, useCases.createCampaign(CALLER, campaignRequest(2, { greetingMessage: "Hi" })));
    expect(await start()).toContainEqual(
      expect.objectContaining({ code: "credits_short", needed: 2, available: 1 }),
    );
  });

  it("warns of contacts in each zone, however many there are in it, and of credits that other calls have reserved", async () => {
    const window = { start: 9, end: 10, excludedDates: [], days: [] };
    const request = campaignRequest(3, { window, timezone: undefined, greetingMessage: "Hi" });
    const made = await until(stores, useCases.createCampaign(CALLER, request));
    expect(made.ok && made.value.warnings).toContainEqual(
      expect.objectContaining({ code: "timezone_defaulted", count: 3 }),
    );
    await stores.admission.topUp(OWNER, creditsToUnits(1), "more");
    await stores.admission.admit({
      owner: OWNER,
      campaignId: null,
      candidates: [{ callId: "call_other", phoneNumber: "+12025550100", windowClosesAt: null }],
      pricePerMinute: creditsToUnits(1),
      maxConcurrentCalls: null,
      maxCallsPerSecond: null,
      connection: {
        key: "simulated",
        kind: "simulated",
        audio: false,
        callsPerSecond: null,
        maxConcurrentCalls: null,
      },
    });
    expect(await start()).toContainEqual(expect.objectContaining({ code: "credits_short", available: 1 }));
  });

  it("warns of what another process has added meanwhile", async () => {
    await until(stores, useCases.createCampaign(CALLER, campaignRequest(1, { greetingMessage: "{{city}}" })));
    const other = engineProcess(stores, { processId: "other", works: false });
    await until(stores, other.useCases.changeCampaign(CALLER, "cmp_1", { name: "Known there" }));
    const added = { contacts: exampleContacts(["+12025559001"]), refusedRows: [], skipDuplicates: false };
    await until(stores, useCases.addContacts(CALLER, "cmp_1", { ...added, reservedImportId: null }));
    const started = await until(stores, other.useCases.startCampaign(CALLER, "cmp_1"));
    expect(started.ok && started.value.warnings).toContainEqual(unfilled("city", 2));
  });

  it("warns of those to call without consent, and on a list, as the policy and the list are then", async () => {
    const consent = { source: "Web form", at: stores.clock.now() } as const;
    const contacts = exampleContacts(1_200).map((contact, n) =>
      n === 0 ? { ...contact, consent } : contact,
    );
    const made = await until(
      stores,
      useCases.createCampaign(CALLER, campaignRequest(1, { contacts, greetingMessage: "Hi" })),
    );
    expect(made.ok && codesOf(made.value.warnings).filter((code) => code.startsWith("policy"))).toEqual([]);
    const rules = { callableHours: null, attemptsPerNumber: null, exceptSingleCalls: false };
    await stores.policies.store(OWNER, 1, { ...rules, oneCallAtATime: true, requireConsent: true });
    for (const index of [0, 499, 500, 1_199])
      stores.directory.suppress(OWNER, `+1202555${String(index).padStart(4, "0")}`);
    const added = { contacts: exampleContacts(2), refusedRows: [], skipDuplicates: false };
    const outcome = await until(
      stores,
      useCases.addContacts(CALLER, "cmp_1", { ...added, reservedImportId: null }),
    );
    expect(outcome.ok && outcome.value.warnings).toMatchObject([
      { code: "credits_short" },
      { code: "no_call_window" },
      { code: "policy_no_consent", count: 2 },
      { code: "policy_on_a_list", count: 1 },
      { code: "retries_declined" },
    ]);
    const started = await start();
    expect(started).toContainEqual(expect.objectContaining({ code: "policy_no_consent", count: 1_201 }));
    expect(started).toContainEqual(expect.objectContaining({ code: "policy_on_a_list", count: 5 }));
  });

  it("tells a stranger nothing, and nobody of a campaign that is not there", async () => {
    expect(await start()).toBe("CAMPAIGN_NOT_FOUND");
    await until(stores, useCases.createCampaign(CALLER, campaignRequest(1)));
    expect(await start({ ...CALLER, owner: "usr_2" })).toBe("CAMPAIGN_NOT_FOUND");
  });
});

describe("a dry run of an import", () => {
  const screen = (changes: Parameters<typeof campaignRequest>[1]) =>
    until(stores, useCases.screenImport(CALLER, campaignRequest(2, changes)));

  it("judges contacts and warns by what the campaign would say, and stores nothing", async () => {
    const screened = await screen({
      greetingMessage: null,
      contacts: exampleContacts(["+12025550100", "0532"]),
    });
    expect(screened).toMatchObject({ accepted: 1, rejected: { count: 1 } });
    expect(screened.warnings).toContainEqual(unfilled("name", 1));
    expect(codesOf(screened.warnings)).toContain("retries_declined");
    expect(stores.database.events).toEqual([]);
  });

  it("judges by a campaign's own greeting where there is one, and without an assistant that is not there", async () => {
    expect(codesOf((await screen({ greetingMessage: "Hi" })).warnings)).not.toContain("placeholder_unfilled");
    const screened = await screen({ assistantId: "ast_none" });
    expect(screened.accepted).toBe(2);
    expect(codesOf(screened.warnings)).not.toContain("placeholder_unfilled");
  });
});

describe("a preview", () => {
  const contacts = [
    { name: "Zoë", customData: {} },
    { name: null, customData: {} },
  ];
  const preview = (changes: Partial<Parameters<typeof useCases.previewTexts>[1]> = {}) =>
    useCases.previewTexts(CALLER, {
      greetingMessage: null,
      specialInstructions: null,
      assistantId: ASSISTANT,
      contacts,
      planned: null,
      ...changes,
    });

  it("fills the assistant's greeting for each contact, and warns of those for whom it lacks something", async () => {
    expect(await preview()).toEqual({
      ok: true,
      value: {
        items: [
          { greetingMessage: "Hello Zoë", specialInstructions: null },
          { greetingMessage: "Hello ", specialInstructions: null },
        ],
        warnings: [unfilled("name", 1)],
        estimate: { hours: null, credits: null },
      },
    });
  });

  it("needs no assistant; without one and without a greeting none is shown", async () => {
    const items = async (greetingMessage: string | null) => {
      const shown = await preview({
        assistantId: null,
        greetingMessage,
        specialInstructions: "For {{name}}",
      });
      return shown.ok ? shown.value.items[0] : null;
    };
    expect(await items("Hi {{name}}")).toEqual({ greetingMessage: "Hi Zoë", specialInstructions: "For Zoë" });
    expect(await items(null)).toEqual({ greetingMessage: null, specialInstructions: "For Zoë" });
  });

  it("refuses an assistant that is not there, and one that is not published", async () => {
    expect(await preview({ assistantId: "ast_none" })).toMatchObject({
      refusal: { code: "ASSISTANT_NOT_FOUND" },
    });
    stores.directory.unpublish(OWNER, ASSISTANT);
    expect(await preview()).toMatchObject({ refusal: { code: "ASSISTANT_NOT_PUBLISHED" } });
  });

  it("says of a contact whose texts are too long that it would be rejected, and shows and judges none of them", async () => {
    const shown = await preview({ greetingMessage: `{{name}}${"x".repeat(4_097)}` });
    const tooLong = { greetingMessage: null, specialInstructions: null, reason: "text_too_long" };
    expect(shown).toMatchObject({ value: { items: [tooLong, tooLong], warnings: [] } });
  });
});
