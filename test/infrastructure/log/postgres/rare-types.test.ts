import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type EventFilter,
  type EventStore,
  type Position,
  type ReadAllOptions,
  START,
  type StoredEvent,
} from "../../../../application/ports/event-store.ts";
import { ALL_TYPES, CALL_TYPES } from "../../../../domain/event-kinds.ts";
import { matchesFilter } from "../../../../infrastructure/log/event-filter.ts";
import { createPostgresEventStore } from "../../../../infrastructure/log/postgres/event-store.ts";
import { IS_RARE, isRare } from "../../../../infrastructure/log/rare-types.ts";
import { eventually } from "../../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../../simulation/memory/silent.ts";
import {
  exampleEvent,
  exampleMetadata,
  freshStream,
  idsOf,
} from "../../../contracts/event-store/example-events.ts";
import { readWholeLog } from "../../../contracts/event-store/following.ts";
import { migratedDatabase } from "../../../support/database.ts";
import type { TestDatabase } from "../../../support/postgres.ts";

const { owner: OWNER } = exampleMetadata;
const LIMIT = 50;

let database: TestDatabase;
beforeEach(async () => {
  database = await migratedDatabase();
});
afterEach(() => database.drop());

const RARE = [...ALL_TYPES].filter(isRare);

it("are the types of campaigns, squads, policies and lists whose events are not of one contact", () => {
  const golden = join(import.meta.dirname, "../../../golden");
  const isOfContact = (type: string) =>
    "contactId" in JSON.parse(readFileSync(join(golden, `${type}.v1.json`), "utf8")).data;
  const few = [...ALL_TYPES].filter((type) => !CALL_TYPES.has(type) && !isOfContact(type));
  expect(RARE.toSorted()).toEqual(few.toSorted());
});

it("are told by the condition that the index has: another one needs another index, by a new migration", () => {
  expect(IS_RARE).toBe(
    "type not like 'Call%' and type not in ('ContactDialed', 'ContactSucceeded', 'ContactCallbackScheduled', 'ContactAttemptFailed', 'ContactSkipped', 'ContactHeld', 'LateCarrierEventRecorded')",
  );
});

describe("a page of an owner's rare types", () => {
  let store: EventStore;
  beforeEach(() => {
    store = createPostgresEventStore(silentLogger, {
      connection: { connectionString: database.connectionString },
    });
  });
  afterEach(() => store.close());

  const TYPES = ["CampaignCreated", "CallRequested", "CampaignPaused", "SquadCreated", "ContactDialed"];
  const fill = async () => {
    for (let n = 0; n < 40; n += 1)
      await store.append(
        freshStream(n % 3 === 0 ? "squad" : "campaign"),
        "no_stream",
        Array.from({ length: 5 }, (_, index) =>
          exampleEvent({
            type: TYPES[(n + index * index) % TYPES.length] ?? "",
            metadata: {
              ...exampleMetadata,
              owner: n % 4 === 0 ? "usr_other" : OWNER,
              campaignId: `cmp_${n % 2}`,
            },
          }),
        ),
      );
  };
  /** All pages; each begins where the one before it says. */
  const pagesOf = async (options: ReadAllOptions): Promise<StoredEvent[]> => {
    const events: StoredEvent[] = [];
    for (let given = options; ; ) {
      const page = await store.readAll(given);
      expect(page.events.length).toBeLessThanOrEqual(options.limit);
      events.push(...page.events);
      if (page.atEnd) return events;
      given = options.backward === true ? { ...given, before: page.next } : { ...given, after: page.next };
    }
  };

  it.each<[string, EventFilter]>([
    ["one type", { types: ["CampaignCreated"] }],
    ["several, one of them twice", { types: ["SquadCreated", "CampaignPaused", "SquadCreated"] }],
    ["all", { types: RARE }],
    ["none", { types: [] }],
    ["one that the owner has no event of", { types: ["PolicyChanged"] }],
    ["one beside a frequent one", { types: ["CampaignCreated", "ContactDialed"] }],
    ["one beside one of a later release", { types: ["CampaignCreated", "Later"] }],
    ["one, of a campaign", { types: ["CampaignCreated"], campaignId: "cmp_1" }],
    ["one, of squads", { types: ["CampaignCreated"], categories: ["squad"] }],
    ["one, outside of campaigns", { types: ["CampaignCreated"], outsideOfCampaigns: ["CampaignCreated"] }],
  ])("has what a filter of the whole log lets through, in both directions: %s", async (_, given) => {
    await fill();
    const filter = { ...given, owner: OWNER };
    const all = await readWholeLog(store);
    const placeOf = (index: number): Position => all[index]?.position ?? "";
    const ranges = [
      [-1, 200],
      [30, 200],
      [-1, 170],
      [30, 31],
      [30, 30],
      [199, 200],
    ] as const;
    for (const [after, before] of ranges)
      for (const backward of [false, true])
        for (const limit of [1, 3, 8, 1_000]) {
          const range = {
            after: after === -1 ? START : placeOf(after),
            ...(before < 200 && { before: placeOf(before) }),
          };
          const wanted = all.slice(after + 1, before).filter((event) => matchesFilter(event, filter));
          const read = await pagesOf({ ...range, backward, limit, filter });
          expect(idsOf(backward ? read.toReversed() : read)).toEqual(idsOf(wanted));
        }
  });

  it("ends at the head of the log, which events of other types move, or in front of its end", async () => {
    await fill();
    const read = { after: START, limit: LIMIT, filter: { owner: OWNER, types: ["PolicyChanged"] } };
    expect(await store.readAll(read)).toEqual({ events: [], next: await store.head(), atEnd: true });
    expect(await store.readAll({ ...read, before: "100" })).toEqual({ events: [], next: "99", atEnd: true });
    expect(await store.readAll({ ...read, backward: true })).toMatchObject({ events: [], atEnd: true });
  });

  it("ends at 8 MiB, and the next one goes on", async () => {
    const large = { text: "x".repeat(500 * 1_024) };
    for (let n = 0; n < 20; n += 1)
      await store.append(freshStream("campaign"), "no_stream", [
        exampleEvent({ type: "ContactsImported", data: large }),
      ]);
    const filter = { owner: OWNER, types: ["ContactsImported"] };
    const page = await store.readAll({ after: START, limit: LIMIT, filter });
    expect([page.events.length, page.atEnd]).toEqual([17, false]);
    for (const backward of [false, true])
      expect(await pagesOf({ after: START, backward, limit: LIMIT, filter })).toHaveLength(20);
  });
});

describe("what a page reads", () => {
  const rowsRead = async () => {
    const { rows } = await database.pool.query<{ count: string }>(
      `select seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes where relid = 'log.events'::regclass)
         as count from pg_stat_user_tables where relid = 'log.events'::regclass`,
    );
    return Number(rows[0]?.count);
  };
  /** A connection tells what it has read when it ends, at the latest. */
  const ended = () =>
    eventually("the end of the reader", async () => {
      const { rows } = await database.pool.query(
        "select from pg_stat_activity where application_name = 'ringfold log reader' and datname = current_database()",
      );
      return rows.length === 0;
    });

  it.each([
    ["without", 1],
    ["with", 1],
    ["without", 3],
    ["with", 3],
  ])(
    "is its events, whatever the owner has of other types, %s statistics, of %i types",
    async (statistics, count) => {
      const types = ["CampaignCreated", "SquadCreated", "PolicyChanged"].slice(0, count);
      const connection = { connectionString: database.connectionString };
      const store = createPostgresEventStore(silentLogger, { connection, readers: 1 });
      const page = (backward: boolean) =>
        store.readAll({ after: START, limit: LIMIT, backward, filter: { owner: OWNER, types } });
      await database.pool.query("alter table log.events set (autovacuum_enabled = off)");
      // A connection keeps the plans that it made while there was nothing.
      for (const backward of [false, true]) await page(backward);
      await database.pool.query(FILL, [OWNER]);
      if (statistics === "with") await database.pool.query("analyze log.events");
      for (const backward of [false, true]) expect((await page(backward)).events).toHaveLength(LIMIT);
      await store.close();
      await ended();
      const read = await rowsRead();
      expect(read).toBeGreaterThanOrEqual(2 * LIMIT);
      expect(read).toBeLessThan(2 * LIMIT * (count + 2));
    },
  );
});

/** Of 10,000 events of an owner 700 are of rare types, 66 of them of either of the first two. */
const FILL = `
insert into log.events (position, stream, revision, event_id, type, owner, data, metadata, created)
select n, 'campaign-' || n, 0, gen_random_uuid(),
  case when n % 300 = 0 then 'SquadCreated' when n % 150 = 0 then 'CampaignCreated' when n % 15 = 0 then 'CampaignPaused' else 'ContactDialed' end,
  case when n % 2 = 0 then $1 else 'usr_' || n % 50 end, '{}', '{}', now()
from generate_series(1, 20000) n`;
