import { beforeEach, describe, expect, it } from "vitest";
import { contact } from "../../domain/campaign/example-campaign.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  openEvents,
  PHONE_NUMBER,
  type Stores,
  sharedStores,
  until,
} from "../engine-world.ts";
import { campaignRequest, exampleContacts } from "../example-request.ts";

let stores: Stores;
let useCases: ReturnType<typeof engineProcess>["useCases"];
let aggregates: ReturnType<typeof engineProcess>["aggregates"];
beforeEach(() => {
  stores = sharedStores();
  ({ useCases, aggregates } = engineProcess(stores, { works: false }));
});

const contacts = exampleContacts(2).map((contact, n) => ({
  ...contact,
  name: n === 0 ? "Zoë" : "Ada",
  customData: { city: n === 0 ? "Rome" : "Oslo" },
}));
const create = (changes: Parameters<typeof campaignRequest>[1] = {}) =>
  until(stores, useCases.createCampaign(CALLER, campaignRequest(2, { contacts, ...changes })));
const call = (contactId: string | null = null, caller = CALLER) =>
  until(
    stores,
    useCases.startTestCall(caller, {
      reservedCallId: "call_1",
      to: "+12025559999",
      campaignId: "cmp_1",
      contactId,
    }),
  );
const requested = () => openEvents(stores, "call-call_1")[0]?.data;
const contactIds = () => openEvents(stores, "campaign-cmp_1")[0]?.data["contacts"];

describe("a test call of a campaign", () => {
  it("says to the caller what the campaign says to its first contact, and the campaign knows nothing of it", async () => {
    await create({ specialInstructions: "About {{city}}", metadata: { order: 7 }, ringTimeoutSeconds: 33 });
    const before = openEvents(stores, "campaign-cmp_1").length;
    expect(await call()).toMatchObject({ ok: true, value: { callId: "call_1" } });
    expect(requested()).toMatchObject({
      to: "+12025559999",
      from: "+15005550000",
      campaignId: null,
      contactId: null,
      greetingMessage: "Hello Zoë",
      specialInstructions: "About Rome",
      metadata: { order: 7 },
      ringTimeoutSeconds: 33,
    });
    expect(openEvents(stores, "campaign-cmp_1")).toHaveLength(before);
  });

  it("says what it says to the contact that is named", async () => {
    await create();
    const known: unknown = contactIds();
    const [, second] = Array.isArray(known) ? known : [];
    await call(second.contactId);
    expect(requested()).toMatchObject({ greetingMessage: "Hello Ada" });
  });

  it.each(["ctc_none", "something"])(
    "is refused for the contact %s, which it does not know",
    async (contactId) => {
      await create();
      const message = "Contact not found";
      expect(await call(contactId)).toMatchObject({
        refusal: { code: "CONTACT_NOT_FOUND", message, details: [{ path: ["contactId"], message }] },
      });
    },
  );

  it("says what the campaign says now to a contact that another process has added", async () => {
    await create();
    const other = engineProcess(stores, { processId: "other", works: false });
    await until(stores, other.useCases.changeCampaign(CALLER, "cmp_1", { name: "Known there" }));
    const eve = exampleContacts(["+12025558000"]).map((contact) => ({ ...contact, name: "Eve" }));
    const added = { contacts: eve, refusedRows: [], skipDuplicates: false, reservedImportId: null };
    await until(stores, useCases.addContacts(CALLER, "cmp_1", added));
    const imported = openEvents(stores, "campaign-cmp_1").findLast(({ type }) => type === "ContactsImported");
    const known: unknown = imported?.data["contacts"];
    const [contact] = Array.isArray(known) ? known : [];
    const called = other.useCases.startTestCall(CALLER, {
      reservedCallId: "call_1",
      to: "+12025559999",
      campaignId: "cmp_1",
      contactId: contact.contactId,
    });
    expect(await until(stores, called)).toMatchObject({ ok: true });
    expect(requested()).toMatchObject({ greetingMessage: "Hello Eve" });
  });

  it("is refused to a stranger as if the campaign were not there", async () => {
    const refusal = { code: "CAMPAIGN_NOT_FOUND", message: "Campaign not found" };
    expect(await call()).toMatchObject({ refusal });
    await create();
    expect(await call(null, { ...CALLER, owner: "usr_2" })).toMatchObject({ refusal });
  });

  it("is refused while the campaign's assistant or number cannot be used", async () => {
    await create();
    stores.directory.setPhoneNumber(OWNER, PHONE_NUMBER, { phoneNumber: "+15005550000", active: false });
    expect(await call()).toMatchObject({ refusal: { code: "PHONE_NUMBER_NOT_FOUND" } });
    stores.directory.unpublish(OWNER, ASSISTANT);
    expect(await call()).toMatchObject({ refusal: { code: "ASSISTANT_NOT_PUBLISHED" } });
  });

  it("has the conversation that the campaign pinned, though the assistant was changed since", async () => {
    await create();
    const first = await stores.directory.assistantVersion(OWNER, ASSISTANT, 1);
    if (first === null) throw new Error("no assistant");
    stores.directory.publish(OWNER, { ...first, version: 2, greetingMessage: "Good day" });
    await call();
    const campaign = openEvents(stores, "campaign-cmp_1").at(-1)?.data;
    expect(requested()).toMatchObject({ greetingMessage: "Hello Zoë", pinned: campaign?.["pinned"] });
  });

  it("is refused for a contact of an older import whose text is too long when it is filled, and names the contact", async () => {
    await create();
    const now = stores.clock.now();
    const rejected = { count: 0, items: [] };
    const long = contact(7, { name: "x".repeat(5_000) });
    await until(
      stores,
      aggregates.campaigns.handle(
        "campaign-cmp_1",
        [
          {
            type: "ImportContacts",
            campaignId: "cmp_1",
            importId: "imp_old",
            firstIndex: 0,
            contacts: [long],
            now,
          },
          { type: "AddContacts", importId: "imp_old", added: 1, rejected, now },
        ],
        { ...CALLER, causationId: null },
      ),
    );
    const message = "greetingMessage is longer than 4096 bytes when it is filled for this contact";
    expect(await call("ctc_7")).toMatchObject({
      refusal: { code: "VALIDATION_ERROR", message, details: [{ path: ["contactId"], message }] },
    });
    expect(await call()).toMatchObject({ ok: true });
  });
});
