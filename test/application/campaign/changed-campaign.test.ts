import { beforeEach, describe, expect, it } from "vitest";
import { DEFAULT_ASSISTANT } from "../../../application/settings.ts";
import type { AssistantId } from "../../../domain/shared/ids.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  openEvents,
  type Stores,
  sharedStores,
  typesOf,
  until,
} from "../engine-world.ts";
import { campaignRequest, exampleContacts } from "../example-request.ts";

const CAMPAIGN = "cmp_1";
const STREAM = `campaign-${CAMPAIGN}`;

let stores: Stores;
let useCases: ReturnType<typeof engineProcess>["useCases"];
beforeEach(() => {
  stores = sharedStores();
  ({ useCases } = engineProcess(stores, { works: false }));
});

const lastEvent = () => stores.database.streams.get(STREAM)?.events.at(-1);
const create = (changes: Parameters<typeof campaignRequest>[1] = {}) =>
  until(stores, useCases.createCampaign(CALLER, campaignRequest(2, changes)));

it("a campaign's settings are changed, and the event says who did it", async () => {
  await create();
  const changed = await until(
    stores,
    useCases.changeCampaign(CALLER, CAMPAIGN, { name: "New", maxRetries: 3 }),
  );
  expect(changed).toMatchObject({ ok: true });
  expect(lastEvent()).toMatchObject({
    type: "CampaignSettingsChanged",
    metadata: { owner: CALLER.owner, actor: CALLER.actor, correlationId: CALLER.correlationId },
  });
});

it("a contact is skipped at a user's wish, once; an unknown one is refused", async () => {
  await create();
  const [chunk] = openEvents(stores, STREAM);
  const ids = JSON.stringify(chunk?.data).match(/ctc_[^"]+/g) ?? [];
  const contactId = `ctc_${ids[0]?.slice("ctc_".length)}` as const;
  expect(await until(stores, useCases.skipContact(CALLER, CAMPAIGN, contactId))).toMatchObject({ ok: true });
  expect(stores.database.events.find(({ type }) => type === "ContactSkipped")?.data).toMatchObject({
    contactId,
    reason: "by_request",
  });
  expect(await until(stores, useCases.skipContact(CALLER, CAMPAIGN, "ctc_none"))).toMatchObject({
    refusal: { code: "CONTACT_NOT_FOUND" },
  });
});

it("a campaign of which nobody can be called is refused, and nothing of it is stored", async () => {
  const nobody = campaignRequest(0);
  expect(await until(stores, useCases.createCampaign(CALLER, nobody))).toMatchObject({
    ok: false,
    refusal: { code: "VALIDATION_ERROR", details: [{ path: ["contacts"] }] },
  });
  expect(stores.database.events).toEqual([]);
});

it("a campaign without a reserved id gets one, and its import goes by it", async () => {
  const outcome = await create({ reservedCampaignId: null });
  if (!outcome.ok) throw new Error(outcome.refusal.code);
  const { campaignId } = outcome.value;
  expect(campaignId).toMatch(/^cmp_.+/);
  const created = stores.database.streams.get(`campaign-${campaignId}`)?.events.at(-1);
  expect(created).toMatchObject({
    data: { importId: `imp_${campaignId.slice("cmp_".length)}` },
    metadata: { owner: CALLER.owner, actor: CALLER.actor, causationId: null },
  });
});

it("a campaign that stands under its reserved id is answered by another process without a new event", async () => {
  const first = await create();
  const events = stores.database.events.length;
  const other = engineProcess(stores, { processId: "other", works: false });
  expect(await until(stores, other.useCases.createCampaign(CALLER, campaignRequest(2)))).toEqual(first);
  expect(stores.database.events).toHaveLength(events);
  expect(typesOf(stores, STREAM).filter((type) => type === "CampaignCreated")).toHaveLength(1);
});

it("rows that were refused are told in the order of the file, with their lines", async () => {
  const refusedRows = [{ index: 3, phoneNumber: "x", reason: "invalid_row", line: 9 }];
  const { contacts } = campaignRequest(2);
  const wrong = { phoneNumber: "0532", number: { ok: false, reason: "not_e164" } } as const;
  const [first] = contacts;
  if (first === undefined) throw new Error("no contact");
  const outcome = await create({
    refusedRows,
    contacts: [...contacts, { ...first, ...wrong, index: 2, line: 7 }],
  });
  expect(outcome).toMatchObject({
    value: {
      rejectedContacts: {
        count: 2,
        items: [
          { index: 2, phoneNumber: "0532", reason: "not_e164", line: 7 },
          { index: 3, line: 9 },
        ],
      },
    },
  });
});

describe("texts, assistant and number of a campaign that is not running", () => {
  const change = (changes: Parameters<typeof useCases.changeCampaign>[2], caller = CALLER) =>
    until(stores, useCases.changeCampaign(caller, CAMPAIGN, changes));
  const publish = (assistantId: AssistantId, version: number, greetingMessage: string) =>
    stores.directory.publish(OWNER, {
      assistantId,
      version,
      name: "Bo",
      greetingMessage,
      systemPrompt: "Be brief.",
      ...DEFAULT_ASSISTANT,
      maxDurationSeconds: 90,
    });
  const pinsOf = () => lastEvent()?.data["pins"];

  it("are changed, each with what belongs to it", async () => {
    await create();
    publish("ast_2", 5, "Good day");
    stores.directory.setPhoneNumber(OWNER, "pn_2", { phoneNumber: "+15005550001", active: true });
    await change({ phoneNumberId: "pn_2" });
    expect(pinsOf()).toEqual({ phoneNumberId: "pn_2", from: "+15005550001" });
    await change({ assistantId: "ast_2", specialInstructions: "Be kind" });
    expect(pinsOf()).toEqual({
      assistant: { assistantId: "ast_2", assistantVersion: 5, name: "Bo", greetingMessage: "Good day" },
      maxDurationSeconds: 90,
      specialInstructions: "Be kind",
      pinned: expect.any(String),
    });
    await change({ greetingMessage: "Hi", specialInstructions: null, name: "Both" });
    expect(lastEvent()?.data).toMatchObject({
      changes: { name: "Both" },
      pins: { greetingMessage: "Hi", specialInstructions: null },
    });
    const events = stores.database.events.length;
    expect(await change({ greetingMessage: "Hi", assistantId: "ast_2", squadId: null })).toMatchObject({
      ok: true,
    });
    expect(stores.database.events).toHaveLength(events);
  });

  it("take the assistant's version of now when it is named again, and keep theirs else", async () => {
    await create();
    publish(ASSISTANT, 2, "Welcome");
    await change({ greetingMessage: "Hi" });
    expect(pinsOf()).toEqual({ greetingMessage: "Hi" });
    await change({ assistantId: ASSISTANT });
    expect(pinsOf()).toMatchObject({ assistant: { assistantVersion: 2, greetingMessage: "Welcome" } });
  });

  it.each([
    [{ assistantId: "ast_none" }, "ASSISTANT_NOT_FOUND", "assistantId"],
    [{ phoneNumberId: "pn_none" }, "PHONE_NUMBER_NOT_FOUND", "phoneNumberId"],
    [{ squadId: "sqd_none" }, "SQUAD_NOT_FOUND", "squadId"],
  ])("are refused as a new campaign's: %o", async (changes, code, path) => {
    await create();
    const events = stores.database.events.length;
    expect(await change({ name: "Not taken", ...changes })).toMatchObject({
      refusal: { code, details: [{ path: [path] }] },
    });
    expect(stores.database.events).toHaveLength(events);
  });

  it("are refused to a stranger, and once it runs, before any reference is looked at", async () => {
    await create();
    const unknown = { assistantId: "ast_none" };
    expect(await change(unknown, { ...CALLER, owner: "usr_2" })).toMatchObject({
      refusal: { code: "CAMPAIGN_NOT_FOUND" },
    });
    await until(stores, useCases.startCampaign(CALLER, CAMPAIGN));
    expect(await change(unknown)).toMatchObject({
      refusal: { code: "CAMPAIGN_INVALID_STATE", currentStatus: "RUNNING" },
    });
  });

  it("are refused where a contact that may still be called makes one too long; those that are done count no more", async () => {
    const [short, long] = exampleContacts(2);
    if (short === undefined || long === undefined) throw new Error("no contacts");
    const contacts = [
      { ...short, name: "Zoë" },
      { ...long, name: "y".repeat(200), customData: { city: "x".repeat(12_000) } },
    ];
    await create({ contacts });
    const greetingMessage = "{{name}}".repeat(21);
    const message = "greetingMessage is longer than 4096 bytes when it is filled for 1 contact";
    const said = "specialInstructions is longer than 32768 bytes when it is filled for 1 contact";
    expect(await change({ greetingMessage, specialInstructions: "{{city}}".repeat(3) })).toMatchObject({
      refusal: {
        code: "VALIDATION_ERROR",
        details: [
          { path: ["greetingMessage"], message },
          { path: ["specialInstructions"], message: said },
        ],
      },
    });
    publish("ast_2", 1, greetingMessage);
    expect(await change({ assistantId: "ast_2" })).toMatchObject({
      refusal: { code: "VALIDATION_ERROR", details: [{ path: ["assistantId"], message }] },
    });
    const [chunk] = openEvents(stores, STREAM);
    const ids = [...new Set(JSON.stringify(chunk?.data).match(/ctc_[^"]+/g))];
    await until(stores, useCases.skipContact(CALLER, CAMPAIGN, `ctc_${(ids[1] ?? "").slice("ctc_".length)}`));
    expect(await change({ greetingMessage })).toMatchObject({ ok: true });
  });

  it("answer with the warnings of the new texts", async () => {
    await create();
    const changed = await change({ greetingMessage: "Hello in {{city}}" });
    expect(changed).toMatchObject({
      ok: true,
      value: {
        warnings: expect.arrayContaining([
          expect.objectContaining({ code: "placeholder_unfilled", count: 2, path: ["greetingMessage"] }),
        ]),
      },
    });
  });
});
