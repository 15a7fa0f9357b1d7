import { beforeEach, describe, expect, it } from "vitest";
import type { AddContactsRequest } from "../../../application/campaign/add-contacts.ts";
import type { ContactInput } from "../../../application/campaign/screen-contacts.ts";
import { parsePhoneNumber } from "../../../domain/shared/phone-number.ts";
import {
  CALLER,
  engineProcess,
  openEvents,
  type Stores,
  sharedStores,
  typesOf,
  until,
} from "../engine-world.ts";
import { campaignRequest } from "../example-request.ts";

const CAMPAIGN = "cmp_1";
const STREAM = `campaign-${CAMPAIGN}`;

function contactsOf(numbers: readonly string[]): ContactInput[] {
  return numbers.map((phoneNumber, index) => {
    const number = parsePhoneNumber(phoneNumber);
    return { index, phoneNumber, number, name: null, customData: {}, timezone: null, externalId: null };
  });
}

const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `+1202555${String(from + index).padStart(4, "0")}`);

function request(numbers: readonly string[], changes: Partial<AddContactsRequest> = {}): AddContactsRequest {
  return {
    contacts: contactsOf(numbers),
    refusedRows: [],
    skipDuplicates: false,
    reservedImportId: null,
    ...changes,
  };
}

let stores: Stores;
let useCases: ReturnType<typeof engineProcess>["useCases"];
const add = (of: AddContactsRequest, caller = CALLER) =>
  until(stores, useCases.addContacts(caller, CAMPAIGN, of));
beforeEach(async () => {
  stores = sharedStores();
  ({ useCases } = engineProcess(stores, { works: false }));
  await until(stores, useCases.createCampaign(CALLER, campaignRequest(2)));
});

describe("contacts added to a campaign", () => {
  it("are stored, sealed and told with what was refused and what is there twice", async () => {
    const outcome = await add(request(["+12025559001", "0532", "+12025559001"]));
    expect(outcome).toMatchObject({
      ok: true,
      value: {
        added: 2,
        rejectedContacts: { count: 1, items: [{ index: 1, phoneNumber: "0532", reason: "not_e164" }] },
        duplicateContacts: { count: 1, items: [{ index: 2, phoneNumber: "+12025559001" }] },
      },
    });
    expect(typesOf(stores, STREAM).slice(2)).toEqual(["ContactsImported", "ContactsAdded"]);
    expect(outcome.ok && outcome.position).toBe(stores.database.events.at(-1)?.position);
    const sealed = stores.database.streams.get(STREAM)?.events.at(-1);
    expect(sealed?.data).toMatchObject({ campaignId: CAMPAIGN, added: 2 });
  });

  it("under a reserved id are added once, however often that is asked", async () => {
    const once = { reservedImportId: "imp_key" } as const;
    const first = await add(request(many(3, 100), once));
    const before = stores.database.events.length;
    const again = await add(request(many(3, 100), once));
    expect(again).toEqual(first);
    expect(stores.database.events).toHaveLength(before);
  });

  it("none of which can be called are refused, and nothing is stored", async () => {
    const before = stores.database.events.length;
    const message = "None of the contacts can be called";
    expect(await add(request(["0532"]))).toEqual({
      ok: false,
      refusal: { code: "VALIDATION_ERROR", message, details: [{ path: ["contacts"], message }] },
    });
    expect(stores.database.events).toHaveLength(before);
  });

  it("of another owner's campaign are refused as if it were not there", async () => {
    expect(await add(request(many(1)), { ...CALLER, owner: "usr_2" })).toMatchObject({
      ok: false,
      refusal: { code: "CAMPAIGN_NOT_FOUND", message: "Campaign not found", details: [] },
    });
  });

  it("fill a campaign up to 10,000, and not one more", async () => {
    const message = "A campaign holds at most 10000 contacts";
    const details = [{ path: ["contacts"], message }];
    expect(await add(request(many(9_999)))).toMatchObject({
      ok: false,
      refusal: { code: "VALIDATION_ERROR", message, details },
    });
    expect(typesOf(stores, STREAM)).toEqual(["ContactsImported", "CampaignCreated"]);
    expect(await add(request(many(9_998)))).toMatchObject({ ok: true, value: { added: 9_998 } });
    expect(await add(request(many(1)))).toMatchObject({ ok: false, refusal: { details } });
  });

  it("are refused by a campaign that is over, with its status, and nothing is stored", async () => {
    await until(stores, useCases.cancelCampaign(CALLER, CAMPAIGN, { hangUpActiveCalls: false }));
    const before = stores.database.events.length;
    expect(await add(request(many(1)))).toMatchObject({
      ok: false,
      refusal: {
        code: "CAMPAIGN_INVALID_STATE",
        message: "The campaign is CANCELLED",
        details: [],
        currentStatus: "CANCELLED",
      },
    });
    expect(stores.database.events).toHaveLength(before);
  });

  it("whose campaign ends between the judgement and the seal are abandoned, and told so", async () => {
    let cancelled = false;
    const { useCases: slow } = engineProcess(stores, {
      processId: "slow",
      works: false,
      crashPoints: {
        reached: (point) => {
          if (point !== "imports.begin.after" || cancelled) return undefined;
          cancelled = true;
          return useCases
            .cancelCampaign(CALLER, CAMPAIGN, { hangUpActiveCalls: false })
            .then(() => undefined);
        },
      },
    });
    const outcome = await until(stores, slow.addContacts(CALLER, CAMPAIGN, request(many(2, 50))));
    expect(outcome).toMatchObject({
      refusal: { code: "CAMPAIGN_INVALID_STATE", currentStatus: "CANCELLED" },
    });
    expect(typesOf(stores, STREAM)).not.toContain("ContactsAdded");
  });
});

describe("screening", () => {
  it("reports the first hundred of what is refused and of what is there twice, and counts all, in their order", async () => {
    const rows = [{ index: 1, phoneNumber: "x", reason: "invalid_row", line: 3 }];
    const wrong = Array.from({ length: 130 }, (_, index) => `0532${index}`);
    const twice = [...many(1, 500), ...Array.from({ length: 120 }, () => many(1, 500)).flat()];
    const outcome = await add(request([...twice, ...wrong], { refusedRows: rows }));
    if (!outcome.ok) throw new Error(outcome.refusal.code);
    const { added, rejectedContacts, duplicateContacts } = outcome.value;
    expect(added).toBe(121);
    expect([rejectedContacts.count, rejectedContacts.items.length]).toEqual([131, 100]);
    expect(rejectedContacts.items.slice(0, 2)).toEqual([
      rows[0],
      { index: 121, phoneNumber: "05320", reason: "not_e164" },
    ]);
    expect([duplicateContacts.count, duplicateContacts.items.length]).toEqual([120, 100]);
  });

  it("keeps the first of each number where repeats are skipped, and says `duplicate` of the others", async () => {
    const outcome = await add(
      request(["+12025559001", "+12025559002", "+12025559001"], { skipDuplicates: true }),
    );
    expect(outcome).toMatchObject({
      value: {
        added: 2,
        rejectedContacts: {
          count: 1,
          items: [{ index: 2, phoneNumber: "+12025559001", reason: "duplicate" }],
        },
        duplicateContacts: { count: 1 },
      },
    });
    const chunk = openEvents(stores, STREAM).at(-2)?.data["contacts"];
    expect(chunk).toMatchObject([{ phoneNumber: "+12025559001" }, { phoneNumber: "+12025559002" }]);
  });
});
