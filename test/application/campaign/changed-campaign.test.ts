import { beforeEach, expect, it } from "vitest";
import { CALLER, engineProcess, type Stores, sharedStores, typesOf, until } from "../engine-world.ts";
import { campaignRequest } from "../example-request.ts";

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
  expect(changed).toMatchObject({ ok: true, value: null });
  expect(lastEvent()).toMatchObject({
    type: "CampaignSettingsChanged",
    metadata: { owner: CALLER.owner, actor: CALLER.actor, correlationId: CALLER.correlationId },
  });
});

it("a contact is skipped at a user's wish, once; an unknown one is refused", async () => {
  await create();
  const [chunk] = stores.database.streams.get(STREAM)?.events ?? [];
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
