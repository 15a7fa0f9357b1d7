import { describe, expect, it } from "vitest";
import { readPage } from "../../../application/log/recorded-events.ts";
import type { EventStore } from "../../../application/ports/event-store.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { explainContact } from "../../../projections/history/explain/explain-contact.ts";
import { createCampaignFolds } from "../../../projections/history/folds/campaign-folds.ts";
import { streamHistory } from "../../../projections/history/stream-history.ts";
import { campaignAt, contactsAt } from "../../../projections/history/time-travel.ts";
import { createTestCodec } from "../../../simulation/memory/subject-keys.ts";
import {
  at,
  campaignId,
  contact,
  creation,
  dialed,
  failed,
  imported,
  paused,
  started,
  succeeded,
} from "../../domain/campaign/example-campaign.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { seededRandom } from "../seeded-random.ts";

const STREAM = `campaign-${campaignId}` as const;
const OWNER = "usr_1" as const;
const FIRST = { limit: 20, after: null };
const codec = createTestCodec();

async function logOf(history: readonly CampaignEvent[], atOnce = 400): Promise<EventStore> {
  const log = memoryLog({ clock: systemClock, codec });
  for (let first = 0; first < history.length; first += atOnce)
    await log.store(STREAM, ...history.slice(first, first + atOnce));
  return log.eventStore;
}

const rejected = { count: 0, items: [] };
const create: CampaignEvent = { type: "CampaignCreated", data: creation(2) };
const added = (moment: Instant): CampaignEvent => ({
  type: "ContactsAdded",
  data: { campaignId, importId: "imp_2", added: 1, rejected, at: moment },
});

/** What is answered about a moment by each of the four who fold it, and the revision that each names. */
async function toldAt(eventStore: EventStore, moment: Instant) {
  const deps = { eventStore, codec };
  const folds = createCampaignFolds(deps);
  const heard: string[] = [];
  const hear = (position: string) => void heard.push(position);
  const asked = { owner: OWNER, id: campaignId, at: moment };
  const kept = await folds.campaignAt(asked, hear);
  const keptContacts = await folds.contactsAt(asked, {}, FIRST, hear);
  expect(kept).toEqual(await campaignAt(deps, OWNER, campaignId, moment, hear));
  expect(keptContacts).toEqual(await contactsAt(deps, OWNER, campaignId, moment, {}, FIRST, hear));
  const question = { campaignId, contactId: "ctc_1", at: moment, language: "en" } as const;
  await explainContact(deps, OWNER, question, hear);
  const events = await readPage(eventStore, STREAM, 0, 1_000);
  const revisions = heard.map((position) => events.findIndex((event) => event.position === position));
  return { contacts: keptContacts?.rows.map(({ id }) => id) ?? null, revisions };
}

describe("a moment before contacts are added", () => {
  const two = imported([contact(1), contact(2)]);
  const later = (seconds: number) => imported([contact(3)], "imp_2", 0, at(seconds));
  const before = { contacts: ["ctc_1", "ctc_2"], revisions: [2, 2, 2, 2, 2] };
  const after = { contacts: ["ctc_1", "ctc_2", "ctc_3"], revisions: [4, 4, 4, 4, 4] };

  it("names the last event that had happened, and no import that came later", async () => {
    const eventStore = await logOf([two, create, started, later(50), added(at(50))]);
    expect(await toldAt(eventStore, at(49))).toEqual(before);
    expect(await toldAt(eventStore, at(50))).toEqual(after);
  });

  it("is the same in an older log, where a seal has the time at which its import began", async () => {
    const eventStore = await logOf([two, create, started, later(52), added(at(50))]);
    expect(await toldAt(eventStore, at(49))).toEqual(before);
    for (const seconds of [50, 51, 52]) expect(await toldAt(eventStore, at(seconds))).toEqual(after);
  });
});

const PEOPLE = 30;

/** One campaign: imports, dials and their ends, pauses. `steps`: milliseconds from one event to the next. */
function longHistory(seed: number, events: number, steps: "rising" | "falling at times") {
  const random = seededRandom(seed);
  const ids = Array.from({ length: PEOPLE }, (_, index) => index + 1);
  const history: CampaignEvent[] = [
    imported(ids.map((number) => contact(number))),
    { type: "CampaignCreated", data: { ...creation(PEOPLE), at: at(-2) } },
    started,
  ];
  const live: { readonly number: number; readonly call: number }[] = [];
  let millis = millisOf(at(0));
  while (history.length < events) {
    millis += steps === "falling at times" && random(7) === 0 ? -random(3_000) : 1 + random(900);
    const event = nextEvent(history.length);
    const moment = instantFromMillis(millis);
    history.push(JSON.parse(JSON.stringify({ ...event, data: { ...event.data, at: moment } })));
  }
  return history;

  function nextEvent(call: number): CampaignEvent {
    const roll = random(40);
    if (roll === 0) return paused("manual");
    if (roll === 1) return { type: "CampaignResumed", data: { campaignId, at: at(0), by: "api" } };
    if (roll === 2) return imported([contact(PEOPLE + call)], "imp_2", call);
    const ended = roll > 20 || live.length > 9 ? live.shift() : undefined;
    if (ended !== undefined)
      return roll % 2 === 0 ? failed(ended.number, null, ended.call) : succeeded(ended.number, ended.call);
    const number = 1 + random(PEOPLE);
    live.push({ number, call });
    return dialed(number, call, 1 + random(3));
  }
}

describe("a moment of a long campaign", () => {
  it.each([513, 1_001, 1_025, 5_001])(
    "is the fold of what had happened by then, and of nothing else: %i events",
    async (events) => {
      for (const steps of ["rising", "falling at times"] as const) {
        const history = longHistory(events, events, steps);
        const eventStore = await logOf(history);
        const folds = createCampaignFolds({ eventStore, codec });
        const random = seededRandom(events);
        const edges = [20, 511, 512, 513, 1_000, 1_023, 1_024, 4_999, events - 1];
        const some = Array.from({ length: 5 }, () => random(events));
        for (const index of [...edges, ...some].filter((index) => index < events)) {
          const asked = { owner: OWNER, id: campaignId, at: history[index]?.data.at ?? at(0) };
          expect([index, await keptTold(folds, asked)]).toEqual([index, await plainTold(eventStore, asked)]);
        }
      }
    },
  );
});

type Asked = { readonly owner: typeof OWNER; readonly id: typeof campaignId; readonly at: Instant };

async function keptTold(folds: ReturnType<typeof createCampaignFolds>, asked: Asked): Promise<unknown> {
  const heard: string[] = [];
  const told = await folds.campaignAt(asked, (position) => void heard.push(position));
  return [told, await folds.contactsAt(asked, {}, FIRST), heard];
}

async function plainTold(eventStore: EventStore, asked: Asked): Promise<unknown> {
  const deps = { eventStore, codec };
  const heard: string[] = [];
  const hear = (position: string) => void heard.push(position);
  const told = await campaignAt(deps, OWNER, campaignId, asked.at, hear);
  return [told, await contactsAt(deps, OWNER, campaignId, asked.at, {}, FIRST), heard];
}

describe("a page of a campaign's events", () => {
  const chunk = (index: number) =>
    imported([contact(index + 1, { customData: { text: "x".repeat(250_000) } })], "imp_1", index);

  it("ends behind 4 MiB, and goes on from there", async () => {
    const chunks = Array.from({ length: 40 }, (_, index) => chunk(index));
    const eventStore = await logOf([...chunks, create, started], 3);
    const revisions: number[] = [];
    const pages: number[] = [];
    for (let after: number | null = null; ; ) {
      const page = await streamHistory({ eventStore, codec }, OWNER, STREAM, { limit: 200, after });
      revisions.push(...(page?.rows.map(({ revision }) => revision) ?? []));
      pages.push(page?.rows.length ?? 0);
      after = page?.next ?? null;
      if (after === null) break;
    }
    expect(revisions).toEqual(Array.from({ length: 42 }, (_, revision) => revision));
    expect(pages).toEqual([13, 13, 13, 3]);
  });

  it("has as many events as were asked for where they are small", async () => {
    const eventStore = await logOf(longHistory(7, 300, "rising"));
    const page = await streamHistory({ eventStore, codec }, OWNER, STREAM, { limit: 200, after: 20 });
    expect(page?.rows.map(({ revision }) => revision)).toEqual(
      Array.from({ length: 200 }, (_, index) => 21 + index),
    );
    expect(page?.next).toBe(220);
  });
});
