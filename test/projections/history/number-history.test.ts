import { describe, expect, it } from "vitest";
import { NUMBER_ROWS, type NumberContact } from "../../../application/ports/queries/number-records.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import type { CampaignId, ContactId } from "../../../domain/shared/ids.ts";
import { type NumberQuestion, numberHistory } from "../../../projections/history/number-history.ts";
import type { RejectedNumber } from "../../../projections/search/number-contacts.ts";
import { at, contact, created, started } from "../../domain/campaign/example-campaign.ts";
import { memoryLog } from "../../support/memory-log.ts";

const QUESTION: NumberQuestion = { number: "+14155550101", at: at(60), language: "en" };

function rejected(campaignId: CampaignId): RejectedNumber {
  return {
    campaignId,
    position: "9",
    type: "ContactsAdded",
    at: at(1),
    reason: "duplicate",
  } as RejectedNumber;
}

function known(campaignId: CampaignId, contactId: ContactId): NumberContact {
  return { campaignId, contactId, name: null, status: "pending" };
}

/** Campaigns of one owner with the number as their first contact; `most`: how many were read at once. */
async function world(campaigns: readonly CampaignId[]) {
  const log = memoryLog();
  let underWay = 0;
  const seen = { most: 0 };
  const own = (events: readonly CampaignEvent[], campaignId: CampaignId) =>
    events.map((event) => ({ ...event, data: { ...event.data, campaignId } }) as CampaignEvent);
  for (const campaignId of campaigns)
    await log.store(
      `campaign-${campaignId}`,
      ...own(
        [...created([contact(1, { contactId: `ctc_of_${campaignId}` }), contact(2)]), started],
        campaignId,
      ),
    );
  const deps = {
    ...log,
    eventStore: {
      ...log.eventStore,
      read: async (...given: Parameters<typeof log.eventStore.read>) => {
        underWay += 1;
        seen.most = Math.max(seen.most, underWay);
        await new Promise((go) => setImmediate(go));
        underWay -= 1;
        return log.eventStore.read(...given);
      },
    },
  };
  const contacts = campaigns.map((campaignId) => known(campaignId, `ctc_of_${campaignId}`));
  return { deps, contacts, seen };
}

describe("why a number is called or not", () => {
  it("is said for each of its contacts, the newest campaign first, four campaigns read at once", async () => {
    const ids = Array.from({ length: 9 }, (_, index): CampaignId => `cmp_${index}`);
    const { deps, contacts, seen } = await world(ids);
    const told = await numberHistory(deps, "usr_1", { contacts, rejections: [] }, QUESTION);
    expect(told.contacts).toBe(contacts);
    expect(
      told.verdicts.map(({ campaignId, contactId, verdict }) => [campaignId, contactId, verdict]),
    ).toEqual(ids.toReversed().map((id) => [id, `ctc_of_${id}`, "due"]));
    expect(seen.most).toBe(4);
  });

  it("is said twice for a number that one campaign has twice, which is read once", async () => {
    const { deps, contacts } = await world(["cmp_1"]);
    const twice = [...contacts, known("cmp_1", "ctc_2")];
    const { verdicts } = await numberHistory(deps, "usr_1", { contacts: twice, rejections: [] }, QUESTION);
    expect(verdicts.map(({ contactId }) => contactId)).toEqual(["ctc_of_cmp_1", "ctc_2"]);
  });

  it("is said of imports that refused it, in the language that is asked for", async () => {
    const { deps, contacts } = await world(["cmp_2"]);
    const rejections = [rejected("cmp_1"), rejected("cmp_3")];
    const { verdicts } = await numberHistory(deps, "usr_1", { contacts, rejections }, QUESTION);
    expect(verdicts.map(({ campaignId, verdict }) => [campaignId, verdict])).toEqual([
      ["cmp_3", "rejected"],
      ["cmp_2", "due"],
      ["cmp_1", "rejected"],
    ]);
    expect(verdicts[0]).toEqual({
      ...{ campaignId: "cmp_3", contactId: null, at: at(60), verdict: "rejected" },
      ...{ until: null, optOutCallId: null, hold: null },
      sentence:
        "+14155550101 was never to be called: an import refused it at 2026-09-01 10:00:01 +00:00 UTC as duplicate.",
      because: [{ position: "9", type: "ContactsAdded", at: at(1) }],
    });
    const turkish = { ...QUESTION, language: "tr" } as const;
    const [first] = (await numberHistory(deps, "usr_1", { contacts, rejections }, turkish)).verdicts;
    expect(first?.sentence).toContain("hiç aranmadı");
  });

  it("is not said of another owner's campaigns, and of no more than a page", async () => {
    const { deps, contacts } = await world(["cmp_1"]);
    const of = { contacts, rejections: [] };
    expect((await numberHistory(deps, "usr_2", of, QUESTION)).verdicts).toEqual([]);
    const rejections = Array.from({ length: NUMBER_ROWS + 1 }, () => rejected("cmp_1"));
    const { verdicts } = await numberHistory(deps, "usr_1", { contacts: [], rejections }, QUESTION);
    expect(verdicts).toHaveLength(NUMBER_ROWS);
  });
});
