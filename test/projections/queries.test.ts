import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Position } from "../../application/ports/event-store.ts";
import { type Heard, type Queries, ReadModelUnservedError } from "../../application/ports/queries.ts";
import type { ContactRecord } from "../../contract/contact.ts";
import type { CampaignEvent, ContactStatus, ImportedContact } from "../../domain/campaign/events.ts";
import type { CallId, CampaignId, ContactId, ImportId, OwnerId } from "../../domain/shared/ids.ts";
import type { ReadModels } from "../../projections/read-models.ts";
import { at, creation } from "../domain/campaign/example-campaign.ts";
import { callEnd, callRequest, connected, dialingBegan, message, ringing } from "./example-events.ts";
import type { HistoryEvent } from "./random-history.ts";
import { openReadWorld, queriesOf, type ReadWorld } from "./read-world.ts";

const owner = "usr_1";
const ALL = { limit: 50, after: null };

function person(id: ContactId): ImportedContact {
  const phoneNumber = "+15005550006";
  return { contactId: id, phoneNumber, name: null, customData: {}, timezone: null, externalId: null };
}

function of(campaignId: CampaignId, event: CampaignEvent): HistoryEvent {
  return { stream: `campaign-${campaignId}`, owner, event };
}

function chunk(
  campaignId: CampaignId,
  importId: ImportId,
  firstIndex: number,
  ids: readonly ContactId[],
): HistoryEvent {
  const contacts = ids.map(person);
  return of(campaignId, {
    type: "ContactsImported",
    data: { campaignId, importId, firstIndex, contacts, at: at(0) },
  });
}

function seal(campaignId: CampaignId, importId: ImportId, totalContacts: number): HistoryEvent {
  const data = { ...creation(totalContacts), campaignId, importId, owner, at: at(1) } as const;
  return of(campaignId, { type: "CampaignCreated", data });
}

describe("queries", () => {
  let world: ReadWorld;
  let models: ReadModels;
  let queries: Queries;
  beforeAll(async () => {
    world = await openReadWorld();
    models = world.start();
    queries = queriesOf(world, models);
  });
  afterAll(() => world.close());

  async function happened(events: readonly HistoryEvent[]): Promise<void> {
    await world.append(events);
    expect(await models.positions.waitFor(await world.eventStore.head(), 20_000)).toBe(true);
  }

  function newCall(callId: CallId, createdAt = at(0)): HistoryEvent[] {
    const request = callRequest({
      callId,
      owner,
      campaignId: null,
      contactId: null,
      attempt: 1,
      at: createdAt,
    });
    return [request, dialingBegan(callId, at(1))].map((event) => ({
      stream: `call-${callId}`,
      owner,
      event,
    }));
  }
  function toCall(callId: CallId, event: HistoryEvent["event"]): HistoryEvent {
    return { stream: `call-${callId}`, owner, event };
  }

  it("answers records that are asked for at once, each its own, and nobody another owner's", async () => {
    await happened([
      ...newCall("call_once1"),
      ...newCall("call_once2"),
      toCall("call_once2", message("call_once2", at(2), "carrier_1", 0)),
      chunk("cmp_once", "imp_once", 0, ["ctc_once"]),
      seal("cmp_once", "imp_once", 1),
    ]);
    const asked = [
      queries.call(owner, "call_once2"),
      queries.call("usr_other", "call_once1"),
      queries.call(owner, "call_missing"),
      queries.call(owner, "call_once1"),
      queries.call(owner, "call_once2"),
    ];
    const calls = (await Promise.all(asked)).map((call) => call && [call.id, call.messages.length]);
    expect(calls).toEqual([["call_once2", 1], null, null, ["call_once1", 0], ["call_once2", 1]]);
    const campaigns = [
      queries.campaign(owner, "cmp_once"),
      queries.campaign("usr_other", "cmp_once"),
      queries.campaign(owner, "cmp_missing"),
      queries.campaign(owner, "cmp_once"),
    ];
    expect((await Promise.all(campaigns)).map((found) => found?.campaign.id)).toEqual([
      "cmp_once",
      undefined,
      undefined,
      "cmp_once",
    ]);
  });

  it("answers a campaign without what other models have no rows for yet", async () => {
    await happened([chunk("cmp_parts", "imp_parts", 0, ["ctc_parts"]), seal("cmp_parts", "imp_parts", 1)]);
    const without = async (...tables: string[]) => {
      for (const table of tables)
        await world.database.pool.query(`alter table read.${table} rename to gone_${table}`);
      const heard: Position[] = [];
      const found = await queries.campaign(owner, "cmp_parts", (position) => heard.push(position));
      for (const table of tables)
        await world.database.pool.query(`alter table read.gone_${table} rename to ${table}`);
      return [found?.campaign.id, found?.statistics.outcomes, found?.statistics.held, heard.length];
    };
    const none = { analysed: 0, succeeded: 0, unsuccessful: 0, byField: {} };
    expect(await without()).toEqual(["cmp_parts", none, 0, 1]);
    expect(await without("outcomes_v3")).toEqual(["cmp_parts", null, 0, 1]);
    expect(await without("contacts_v5")).toEqual(["cmp_parts", none, undefined, 1]);
    expect(await without("outcomes_v3", "contacts_v5")).toEqual(["cmp_parts", null, undefined, 1]);
    await expect(without("campaigns_v4")).rejects.toThrow(ReadModelUnservedError);
    await world.database.pool.query("alter table read.gone_campaigns_v4 rename to campaigns_v4");
  });

  it("shows contacts from the seal on, and those of an abandoned import never", async () => {
    const id = "cmp_sealing";
    await happened([chunk(id, "imp_s1", 0, ["ctc_s1", "ctc_s2"])]);
    expect(await queries.contacts(owner, id, {}, ALL)).toBeNull();
    await happened([
      chunk(id, "imp_s1", 2, ["ctc_s3"]),
      seal(id, "imp_s1", 3),
      chunk(id, "imp_s2", 0, ["ctc_s4"]),
    ]);
    const ids = async () => (await queries.contacts(owner, id, {}, ALL))?.rows.map((contact) => contact.id);
    expect(await ids()).toEqual(["ctc_s1", "ctc_s2", "ctc_s3"]);
    expect(await queries.contact(owner, id, "ctc_s4")).toBe("contact_unknown");
    await happened([
      of(id, { type: "ImportAbandoned", data: { campaignId: id, importId: "imp_s2", at: at(2) } }),
    ]);
    expect(await ids()).toEqual(["ctc_s1", "ctc_s2", "ctc_s3"]);
  });

  it("pages contacts over several imports without a gap or a repeat", async () => {
    const id = "cmp_paging";
    const more = {
      campaignId: id,
      importId: "imp_p2",
      added: 3,
      rejected: { count: 0, items: [] },
      at: at(2),
    } as const;
    await happened([
      chunk(id, "imp_p1", 0, ["ctc_p1", "ctc_p2"]),
      seal(id, "imp_p1", 2),
      chunk(id, "imp_p2", 0, ["ctc_p3", "ctc_p4", "ctc_p5"]),
      of(id, { type: "ContactsAdded", data: more }),
    ]);
    const seen: ContactId[] = [];
    let after: number | null = null;
    do {
      const page = await queries.contacts(owner, id, {}, { limit: 2, after });
      seen.push(...(page?.rows.map((contact) => contact.id) ?? []));
      after = page?.next ?? null;
    } while (after !== null);
    expect(seen).toEqual(["ctc_p1", "ctc_p2", "ctc_p3", "ctc_p4", "ctc_p5"]);
  });

  it("lists, filters and finds many contacts as the log tells them, before and after a cancel", async () => {
    const id = "cmp_many";
    const ids = Array.from({ length: 130 }, (_, index): ContactId => `ctc_m${index}`);
    const skipped = (contactId: ContactId) =>
      of(id, {
        type: "ContactSkipped",
        data: { campaignId: id, contactId, reason: "by_request", outcome: "skipped", at: at(2) },
      });
    await happened([
      chunk(id, "imp_m1", 0, ids.slice(0, 70)),
      chunk(id, "imp_m1", 70, ids.slice(70)),
      seal(id, "imp_m1", 130),
      chunk(
        id,
        "imp_m2",
        0,
        Array.from({ length: 70 }, (_, index): ContactId => `ctc_n${index}`),
      ),
      of(id, {
        type: "ContactsAdded",
        data: {
          campaignId: id,
          importId: "imp_m2",
          added: 70,
          rejected: { count: 0, items: [] },
          at: at(2),
        },
      }),
      ...[3, 50, 69, 70, 129].map((index) => skipped(`ctc_m${index}`)),
    ]);
    await expectAsTheLog(id, { pending: 195, skipped: 5 });
    await happened([
      of(id, { type: "CampaignCancelled", data: { campaignId: id, hangUpActiveCalls: false, at: at(3) } }),
    ]);
    await expectAsTheLog(id, { pending: 0, skipped: 200 });
    expect(await queries.contact(owner, id, "ctc_m119")).toMatchObject({ id: "ctc_m119", status: "skipped" });
  });

  async function expectAsTheLog(id: CampaignId, counts: Readonly<Partial<Record<ContactStatus, number>>>) {
    for (const filter of [{}, { status: "pending" }, { status: "skipped" }] as const) {
      const rows: ContactRecord[] = [];
      let after: number | null = null;
      do {
        const page = await queries.contacts(owner, id, filter, { limit: 60, after });
        rows.push(...(page?.rows ?? []));
        after = page?.next ?? null;
      } while (after !== null);
      const told = await queries.contactsAt(owner, id, at(9), filter, { limit: 200, after: null });
      expect(rows).toEqual(told?.rows);
      if ("status" in filter) expect(rows).toHaveLength(counts[filter.status] ?? 0);
    }
  }

  it("answers another owner's id as an unknown one", async () => {
    const id = "cmp_mine";
    await happened([chunk(id, "imp_m", 0, ["ctc_m"]), seal(id, "imp_m", 1), ...newCall("call_mine")]);
    const other = "usr_9";
    expect(await queries.campaign(other, id)).toBeNull();
    expect(await queries.campaignEvents(other, id, ALL)).toBeNull();
    expect(await queries.campaignAt(other, id, at(9))).toBeNull();
    expect(await queries.contactsAt(other, id, at(9), {}, ALL)).toBeNull();
    expect(await queries.contact(other, id, "ctc_m")).toBe("campaign_unknown");
    expect(await queries.call(other, "call_mine")).toBeNull();
    expect(await queries.outboundCall(other, "call_mine")).toBeNull();
    expect((await queries.outboundCall(owner, "call_mine"))?.callId).toBe("call_mine");
    const theirs = await queries.calls(other, {}, ALL);
    expect([theirs.rows, (await queries.activeCalls(other, ALL)).rows]).toEqual([[], []]);
    expect([
      (await queries.campaigns(other, {}, ALL)).rows,
      await queries.contacts(other, id, {}, ALL),
    ]).toEqual([[], null]);
    expect(await queries.callEvents(other, "call_mine", ALL)).toBeNull();
  });

  it("has no history of a campaign whose creation was never sealed", async () => {
    await happened([chunk("cmp_unsealed", "imp_u", 0, ["ctc_u"])]);
    expect(await queries.campaignEvents(owner, "cmp_unsealed", ALL)).toBeNull();
  });

  it("tells a chunk of contacts by place and number only", async () => {
    const id = "cmp_chunk";
    await happened([chunk(id, "imp_c", 0, ["ctc_c1", "ctc_c2"]), seal(id, "imp_c", 2)]);
    const page = await queries.campaignEvents(owner, id, ALL);
    expect(page?.rows[0]?.data).toEqual({
      campaignId: id,
      importId: "imp_c",
      firstIndex: 0,
      count: 2,
      at: at(0),
    });
  });

  it("lists active calls until their end, newest first", async () => {
    await happened([
      ...newCall("call_a1"),
      ...newCall("call_a2"),
      toCall("call_a2", ringing("call_a2", at(3), "r")),
    ]);
    const active = async () =>
      (await queries.activeCalls(owner, ALL)).rows
        .map(({ callId }) => callId)
        .filter((id) => id.startsWith("call_a"));
    expect(await active()).toEqual(["call_a2", "call_a1"]);
    await happened([toCall("call_a2", callEnd("call_a2", at(4), "busy", null))]);
    expect(await active()).toEqual(["call_a1"]);
  });

  it("filters calls by status and time of creation, and pages by id", async () => {
    await happened([
      ...newCall("call_f1", at(100)),
      ...newCall("call_f2", at(200)),
      ...newCall("call_f3", at(300)),
    ]);
    await happened([toCall("call_f2", callEnd("call_f2", at(201), "busy", null))]);
    const ids = async (filter: Parameters<Queries["calls"]>[1], limit = 50) =>
      (await queries.calls(owner, filter, { limit, after: null })).rows.map(({ id }) => id);
    const window = { from: at(100), until: at(300) };
    expect(await ids(window)).toEqual(["call_f2", "call_f1"]);
    expect(await ids({ ...window, status: "failed" })).toEqual(["call_f2"]);
    expect(await ids({ ...window, status: "initiating" })).toEqual(["call_f1"]);
    expect((await queries.calls(owner, window, { limit: 1, after: null })).next).toBe("call_f2");
    expect(
      (await queries.calls(owner, window, { limit: 1, after: "call_f2" })).rows.map(({ id }) => id),
    ).toEqual(["call_f1"]);
  });

  it.each(["calls", "activeCalls", "campaigns", "squads"] as const)(
    "tells how far a page of %s is, also an empty one, in one statement without a transaction",
    async (list) => {
      await happened(newCall("call_p1"));
      const squad = {
        squadId: "sqd_p1",
        owner,
        name: "Team",
        description: null,
        overrideSettings: {},
      } as const;
      await happened([
        chunk("cmp_p1", "imp_p1", 0, ["ctc_p1"]),
        seal("cmp_p1", "imp_p1", 1),
        { stream: "squad-sqd_p1", owner, event: { type: "SquadCreated", data: { ...squad, at: at(0) } } },
      ]);
      const pagesOf = {
        calls: (of, heard) => queries.calls(of, {}, { limit: 1, after: null }, heard),
        activeCalls: (of, heard) => queries.activeCalls(of, { limit: 1, after: null }, heard),
        campaigns: (of, heard) =>
          queries.campaigns(of, { statuses: ["PENDING", "RUNNING"] }, { limit: 1, after: null }, heard),
        squads: (of, heard) => queries.squads(of, { limit: 1, after: null }, heard),
      } satisfies Record<
        typeof list,
        (of: OwnerId, heard: Heard) => Promise<{ readonly rows: readonly object[] }>
      >;
      const statements = vi.spyOn(pg.Client.prototype, "query");
      onTestFinished(() => statements.mockRestore());
      const heard: Position[] = [];
      const page = await pagesOf[list](owner, (position) => heard.push(position));
      const none = await pagesOf[list]("usr_nobody", (position) => heard.push(position));
      expect(page.rows).toHaveLength(1);
      expect(none).toEqual({ rows: [], next: null });
      const head = await world.eventStore.head();
      expect(heard).toEqual([head, head]);
      const texts = statements.mock.calls.map(([asked]) => JSON.stringify(asked));
      expect(texts.filter((text) => /read\.|transaction|commit/i.test(text))).toHaveLength(2);
    },
  );

  it("names a recording under the public address once it can be had", async () => {
    const id = "call_rec";
    await happened([
      ...newCall(id),
      toCall(id, connected(id, at(2), "r")),
      toCall(id, callEnd(id, at(3), "assistant_ended", 1)),
    ]);
    expect((await queries.call(owner, id))?.recordingUrl).toBeNull();
    const data = {
      callId: id,
      at: at(4),
      status: "available",
      recordingRef: "tape",
      carrierRef: "r",
      sequence: 9,
    } as const;
    await happened([toCall(id, { type: "CallRecordingAvailable", data })]);
    expect((await queries.call(owner, id))?.recordingUrl).toBe(
      `http://127.0.0.1:3000/api/v1/calls/${id}/recording`,
    );
  });

  it("keeps a recording that was told before the end of its call", async () => {
    const id = "call_early";
    const data = { status: "available", recordingRef: "early", carrierRef: "r", sequence: 4 } as const;
    await happened([
      ...newCall(id),
      toCall(id, connected(id, at(2), "r")),
      toCall(id, { type: "CallRecordingAvailable", data: { ...data, callId: id, at: at(3) } }),
      toCall(id, callEnd(id, at(4), "assistant_ended", 1)),
    ]);
    expect(await queries.call(owner, id)).toMatchObject({ recordingStatus: "available" });
  });

  it("takes only what can be a position of this log", () => {
    expect(["", "0", "17"].map(queries.parsePosition)).toEqual(["", "0", "17"]);
    expect(["-1", "x", "1e3", " 1", "99999999999999999999", "1.2.3"].map(queries.parsePosition)).toEqual(
      Array.from({ length: 6 }, () => null),
    );
  });

  it("is not caught up with a position that is still to come", async () => {
    expect(await queries.caughtUp("999999999", 20)).toBe("behind");
  });
});
