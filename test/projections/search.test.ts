import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SearchKind } from "../../application/ports/queries/search-records.ts";
import type { CampaignCreated, ImportedContact } from "../../domain/campaign/events.ts";
import type { CallId, CampaignId, ContactId, ImportId, OwnerId, SquadId } from "../../domain/shared/ids.ts";
import type { Projection } from "../../projections/engine/projection.ts";
import { READ_MODELS } from "../../projections/read-models.ts";
import { CALLS_OF_A_BLOCK } from "../../projections/search/call-blocks.ts";
import { matchingCalls } from "../../projections/search/matching-calls.ts";
import { contactsOfNumber, rejectionsOfNumber } from "../../projections/search/number-contacts.ts";
import { searchProjection } from "../../projections/search/search.ts";
import { findEverywhere } from "../../projections/search/search-queries.ts";
import { at, creation } from "../domain/campaign/example-campaign.ts";
import { callRequest } from "./example-events.ts";
import type { HistoryEvent } from "./random-history.ts";
import { openReadWorld, type ReadWorld } from "./read-world.ts";

const OWNER: OwnerId = "usr_1";
const OTHER: OwnerId = "usr_2";
const EVERYTHING: ReadonlySet<SearchKind> = new Set(["campaigns", "contacts", "calls", "squads"]);

let world: ReadWorld;
let happened: (events: readonly HistoryEvent[]) => Promise<void>;
async function open(projections: readonly Projection[]): Promise<void> {
  world = await openReadWorld();
  const models = world.start({ projections });
  happened = async (events) => {
    await world.append(events);
    expect(await models.positions.waitFor(await world.eventStore.head(), 60_000)).toBe(true);
  };
}

async function found(text: string, owner: OwnerId = OWNER, kinds = EVERYTHING) {
  const { campaigns, contacts, calls, squads } = await findEverywhere(world.db, owner, text, kinds);
  return [campaigns, contacts, calls, squads].flat().map(({ id, title }) => `${id} ${title}`);
}

const ofCampaign = (campaignId: CampaignId, event: HistoryEvent["event"]): HistoryEvent => ({
  stream: `campaign-${campaignId}`,
  owner: OWNER,
  event,
});

type Person = readonly [ContactId, string | null, ImportedContact["phoneNumber"]];

function chunk(campaignId: CampaignId, importId: ImportId, people: readonly Person[]): HistoryEvent {
  const contacts = people.map(([contactId, name, phoneNumber]) => ({
    ...{ contactId, phoneNumber, name, customData: {}, timezone: null, externalId: null },
  }));
  const data = { campaignId, importId, firstIndex: 0, contacts, at: at(0) };
  return ofCampaign(campaignId, { type: "ContactsImported", data });
}

function sealed(campaignId: CampaignId, changes: Partial<CampaignCreated["data"]>): HistoryEvent {
  const data = {
    ...creation(1),
    campaignId,
    importId: `imp_${campaignId}` as const,
    ...changes,
    owner: OWNER,
  };
  return ofCampaign(campaignId, { type: "CampaignCreated", data: { ...data, at: at(1) } });
}

describe("a name", () => {
  beforeAll(() => open([...READ_MODELS, searchProjection]));
  afterAll(() => world.close());

  it("of a squad is found as it is now, and not once the squad is deleted", async () => {
    const squad = (squadId: SquadId, event: HistoryEvent["event"]) => ({
      ...{ stream: `squad-${squadId}`, owner: OWNER, event },
    });
    const made = (squadId: SquadId, name: string) => {
      const data = { squadId, owner: OWNER, name, description: null, overrideSettings: {}, at: at(0) };
      return squad(squadId, { type: "SquadCreated", data });
    };
    await happened([made("sqd_1", "Gelato Nord"), made("sqd_2", "Gelato Süd")]);
    expect(await found("gelato")).toEqual(["sqd_2 Gelato Süd", "sqd_1 Gelato Nord"]);
    expect(await found("sud")).toEqual(["sqd_2 Gelato Süd"]);
    expect(await found("elato")).toEqual([]);
    await happened([
      squad("sqd_1", {
        type: "SquadChanged",
        data: { squadId: "sqd_1", changes: { name: "Sorbet" }, at: at(1) },
      }),
      squad("sqd_2", {
        type: "SquadChanged",
        data: { squadId: "sqd_2", changes: { description: "Sorbet" }, at: at(1) },
      }),
    ]);
    expect([await found("sorbet"), await found("gelato")]).toEqual([["sqd_1 Sorbet"], ["sqd_2 Gelato Süd"]]);
    await happened([squad("sqd_2", { type: "SquadDeleted", data: { squadId: "sqd_2", at: at(2) } })]);
    expect([await found("sorbet"), await found("gelato")]).toEqual([["sqd_1 Sorbet"], []]);
  });

  it("of a campaign is found as it is now, by its owner alone, and only where it is asked for", async () => {
    const settings = { ...creation(1).settings, name: "Marzipan" };
    await happened([sealed("cmp_named", { settings })]);
    expect(await found("marzi")).toEqual(["cmp_named Marzipan"]);
    expect([await found("marzi", OTHER), await found("marzi", OWNER, new Set(["squads"]))]).toEqual([[], []]);
    const changed = (changes: { readonly name?: string; readonly maxRetries?: number }) =>
      ofCampaign("cmp_named", {
        type: "CampaignSettingsChanged",
        data: { campaignId: "cmp_named", changes, at: at(2) },
      });
    await happened([changed({ maxRetries: 1 })]);
    expect(await found("marzi")).toEqual(["cmp_named Marzipan"]);
    await happened([changed({ name: "Nougat" })]);
    expect([await found("marzi"), await found("nougat")]).toEqual([[], ["cmp_named Nougat"]]);
  });

  it("of a contact is found from the seal of its import on, and never when that was abandoned", async () => {
    const people = [
      ["ctc_q1", "Quentin Aster", "+15005551111"],
      ["ctc_q2", null, "+15005552222"],
      ["ctc_q3", "Quentin", "+15005553333"],
    ] as const;
    await happened([chunk("cmp_q", "imp_cmp_q", people)]);
    expect([await found("quentin"), await found("5552222")]).toEqual([[], []]);
    const left = [["ctc_q9", "Quentin", "+15005559999"]] as const;
    await happened([sealed("cmp_q", { totalContacts: 3 }), chunk("cmp_q", "imp_left", left)]);
    const both = ["ctc_q3 Quentin (+15005553333)", "ctc_q1 Quentin Aster (+15005551111)"];
    expect(await found("QUENTIN")).toEqual(both);
    expect(await found("aster")).toEqual(["ctc_q1 Quentin Aster (+15005551111)"]);
    // Neither across a space nor from one line into the next.
    expect([await found("quentin quentin"), await found("1111 1500")]).toEqual([[], []]);
    expect(await found("5552222")).toEqual(["ctc_q2 +15005552222"]);
    expect(await found("quentin", OTHER)).toEqual([]);
    await happened([
      ofCampaign("cmp_q", {
        type: "ImportAbandoned",
        data: { campaignId: "cmp_q", importId: "imp_left", at: at(3) },
      }),
    ]);
    expect(await found("quentin")).toEqual(both);
  });

  it("is found ten times at the most, the newest of them", async () => {
    const people = Array.from({ length: 12 }, (_, index): Person => {
      const number = 10 + index;
      return [`ctc_z${number}`, `Zelda ${number}`, `+150055588${number}`];
    });
    await happened([chunk("cmp_z", "imp_cmp_z", people), sealed("cmp_z", { totalContacts: 12 })]);
    const newest = people.map(([id, name, number]) => `${id} ${name} (${number})`).toReversed();
    expect(await found("zelda")).toEqual(newest.slice(0, 10));
  });
});

describe("of a number", () => {
  beforeAll(() => open([...READ_MODELS, searchProjection]));
  afterAll(() => world.close());

  it("those contacts are found that have exactly it, in their state of now", async () => {
    const number = "+15005554444";
    const people = [
      ["ctc_n1", "Nora", number],
      ["ctc_n2", "Nils", "+150055544449"],
      ["ctc_n3", null, number],
    ] as const;
    await happened([chunk("cmp_n", "imp_cmp_n", people)]);
    expect(await contactsOfNumber(world.db, OWNER, number)).toEqual([]);
    const skip = { reason: "by_request", outcome: "skipped", at: at(2) } as const;
    await happened([
      sealed("cmp_n", { totalContacts: 3 }),
      ofCampaign("cmp_n", {
        type: "ContactSkipped",
        data: { campaignId: "cmp_n", contactId: "ctc_n1", ...skip },
      }),
    ]);
    const known = async (owner: OwnerId = OWNER) =>
      (await contactsOfNumber(world.db, owner, number)).map(({ contactId, name, status }) => [
        ...[contactId, name, status],
      ]);
    expect(await known()).toEqual([
      ["ctc_n3", null, "pending"],
      ["ctc_n1", "Nora", "skipped"],
    ]);
    expect(await known(OTHER)).toEqual([]);
    const data = { campaignId: "cmp_n", hangUpActiveCalls: false, at: at(3) } as const;
    await happened([ofCampaign("cmp_n", { type: "CampaignCancelled", data })]);
    expect((await known()).map(([, , status]) => status)).toEqual(["skipped", "skipped"]);
  });

  it("each refusal is found once, newest first, with its first reason", async () => {
    const number = "0532-abc";
    const refused = (index: number, phoneNumber: string | null, reason: "invalid" | "duplicate") => ({
      ...{ index, phoneNumber, reason },
    });
    const items = [
      refused(0, number, "invalid"),
      refused(1, number, "duplicate"),
      refused(2, null, "invalid"),
      refused(3, "9".repeat(65), "invalid"),
      refused(4, "9".repeat(64), "invalid"),
    ];
    const added = { campaignId: "cmp_r1", importId: "imp_r2", added: 0, at: at(9) } as const;
    await happened([
      sealed("cmp_r1", { rejected: { count: 5, items } }),
      ofCampaign("cmp_r1", {
        type: "ContactsAdded",
        data: { ...added, rejected: { count: 1, items: [refused(0, number, "duplicate")] } },
      }),
    ]);
    const rejections = await rejectionsOfNumber(world.db, OWNER, number);
    expect(rejections.map(({ type, reason, at: when }) => [type, reason, when])).toEqual([
      ["ContactsAdded", "duplicate", at(9)],
      ["CampaignCreated", "invalid", at(1)],
    ]);
    expect(await rejectionsOfNumber(world.db, OTHER, number)).toEqual([]);
    expect(await rejectionsOfNumber(world.db, OWNER, "9".repeat(65))).toEqual([]);
    expect(await rejectionsOfNumber(world.db, OWNER, "9".repeat(64))).toHaveLength(1);
  });
});

describe("calls in more blocks than one read takes", () => {
  const owner: OwnerId = "usr_many";
  const count = CALLS_OF_A_BLOCK * 9 + 30;
  const ids = Array.from({ length: count }, (_, place): CallId => `call_${String(place).padStart(6, "0")}`);
  /** Neighbours are swapped, also the last of one block and the first of the next. */
  const stored = ids.map((id, place) => ids[((place + 1) ^ 1) - 1] ?? id);
  const newestFirst = ids.toReversed();
  beforeAll(async () => {
    await open([searchProjection]);
    const events = stored.map((callId) => {
      const request = callRequest({
        callId,
        owner,
        campaignId: null,
        contactId: null,
        attempt: 1,
        at: at(0),
      });
      const event = { ...request, data: { ...request.data, contactName: "Ayşe Öz" } };
      return { stream: `call-${callId}`, owner, event };
    });
    // Batches end elsewhere than blocks, and the second reading finds single rows.
    await happened(events.slice(0, 700));
    await happened(events.slice(700));
  });
  afterAll(() => world.close());

  async function matching(after: CallId | null, text = "ayse"): Promise<readonly CallId[]> {
    return (await Array.fromAsync(matchingCalls(world.db, owner, text, { limit: 10, after }))).flat();
  }

  it("are a thousand to a block, wherever a reading ended, and the rest are single", async () => {
    const { rows } = await sql<{ ids: string }>`
      select ids from read.search_call_blocks_v1 where owner = ${owner} order by last_id`.execute(world.db);
    expect(rows.map(({ ids: lines }) => lines.split("\n").length)).toEqual(
      Array.from({ length: 9 }, () => CALLS_OF_A_BLOCK),
    );
    expect(rows.flatMap(({ ids: lines }) => lines.split("\n")).toSorted()).toEqual(
      stored.slice(0, 9 * CALLS_OF_A_BLOCK).toSorted(),
    );
  });

  it("come strictly newest first, each once, from any place on", async () => {
    expect(await matching(null)).toEqual(newestFirst);
    for (const place of [1, CALLS_OF_A_BLOCK - 1, CALLS_OF_A_BLOCK, count - 1])
      expect(await matching(ids[place] ?? null)).toEqual(newestFirst.slice(count - place));
    expect(await matching(ids[0] ?? null)).toEqual([]);
  });

  it("match by their number too, and nothing matches what has neither letter nor digit", async () => {
    expect(await matching(ids[5] ?? null, "555 0006")).toEqual(newestFirst.slice(-5));
    expect(await matching(null, "---")).toEqual([]);
    expect(await matching(null, "bob")).toEqual([]);
  });
});
