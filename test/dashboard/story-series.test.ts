import { describe, expect, it } from "vitest";
import { foldStory, openStory, STORY_STATUSES, type StoryColumns } from "../../client/story/fold-story.ts";
import type { ContactRecord } from "../../contract/contact.ts";
import type { FeedEvent } from "../../dashboard/src/live/feed-protocol.ts";
import { isSameRow, rowAt } from "../../dashboard/src/pages/campaign/contacts/rows.ts";
import { foldAttempts } from "../../dashboard/src/pages/campaign/story/fold-attempts.ts";
import { growStory } from "../../dashboard/src/pages/campaign/story/live-story.ts";
import { seriesOf, startOf, turningPoints } from "../../dashboard/src/pages/campaign/story/series.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import type { JsonValue } from "../../domain/shared/json.ts";
import { seededRandom } from "../projections/seeded-random.ts";

type Status = (typeof STORY_STATUSES)[number];
type Row = {
  readonly type: string;
  readonly at: number;
  readonly contact: number;
  readonly reason: string | null;
  readonly value: number | null;
  readonly data: FeedEvent["data"];
};

const BEGIN = Date.parse("2026-09-01T10:00:00.000Z");
const CONTACTS = 40;
const ENDS = ["ContactSucceeded", "ContactCallbackScheduled", "ContactAttemptFailed"];
const ZONE = "Pacific/Auckland";
const idOf = (place: number): ContactRecord["id"] => `ctc_${place}`;
const placeOf = (id: string) => Number(id.slice("ctc_".length));

/** A campaign with so many events that is cancelled at its end; some are in the same millisecond. */
function randomCampaign(seed: number, size: number): readonly Row[] {
  const random = seededRandom(seed);
  const rows: Row[] = [];
  const statuses: Status[] = Array.from({ length: CONTACTS }, () => "pending");
  const attempts = new Uint16Array(CONTACTS);
  let at = BEGIN;
  const tell = (type: string, contact = -1, rest: Partial<Omit<Row, "type" | "at">> = {}) => {
    const own = contact < 0 ? {} : { contactId: idOf(contact) };
    rows.push({ type, at, contact, reason: null, value: null, ...rest, data: { ...own, ...rest.data } });
  };
  tell("ContactsImported");
  tell("CampaignCreated", -1, { value: CONTACTS });
  tell("CampaignStarted");
  while (rows.length < size - 1) {
    at += random(3) === 0 ? 0 : random(2_000);
    const contact = random(CONTACTS);
    const attempt = attempts[contact] ?? 0;
    const status = statuses[contact];
    if (random(30) === 0) {
      tell("CampaignPaused", -1, { reason: "by_request", data: { reason: "by_request" } });
      tell("CampaignResumed");
    } else if (status === "dialing" && random(8) === 0) {
      const wait = 60_000 + random(1_000);
      statuses[contact] = "waiting_retry";
      const data = { endReason: "assistant_ended", callbackAt: instantFromMillis(at + wait) };
      tell("ContactCallbackScheduled", contact, { reason: "assistant_ended", value: wait, data });
    } else if (status === "dialing" && random(2) === 0) {
      statuses[contact] = "succeeded";
      const data = { attempt, endReason: "assistant_ended" };
      tell("ContactSucceeded", contact, { reason: "assistant_ended", value: attempt, data });
    } else if (status === "dialing") {
      const wait = random(4) === 0 ? null : 60_000 + random(1_000);
      statuses[contact] = wait === null ? "failed" : "waiting_retry";
      const data = { endReason: "busy", retryAt: wait === null ? null : instantFromMillis(at + wait) };
      tell("ContactAttemptFailed", contact, { reason: "busy", value: wait, data });
    } else if (status === "pending" && random(20) === 0) {
      statuses[contact] = "skipped";
      tell("ContactSkipped", contact, { reason: "skipped", data: { outcome: "skipped" } });
    } else if (status === "waiting_retry" && random(20) === 0) {
      statuses[contact] = "failed";
      tell("ContactSkipped", contact, { reason: "failed", data: { outcome: "failed" } });
    } else {
      // Also who has an end is called again, so that a long campaign needs few contacts.
      statuses[contact] = "dialing";
      attempts[contact] = attempt + 1;
      tell("ContactDialed", contact, { value: attempt + 1, data: { attempt: attempt + 1 } });
    }
  }
  at += 1_000;
  tell("CampaignCancelled");
  return rows;
}

/** As the service tells them. */
function columnsOf(rows: readonly Row[]): StoryColumns {
  const kinds = [...new Set(rows.map(({ type }) => type))];
  const reasons = [...new Set(rows.flatMap(({ reason }) => reason ?? []))];
  return {
    startsAt: instantFromMillis(BEGIN),
    contacts: CONTACTS,
    kinds,
    reasons,
    columns: {
      at: rows.map(({ at }, row) => at - (rows[row - 1]?.at ?? BEGIN)),
      kind: rows.map(({ type }) => kinds.indexOf(type)),
      contact: rows.map(({ contact }) => contact),
      reason: rows.map(({ reason }) => (reason === null ? -1 : reasons.indexOf(reason))),
      value: rows.map(({ value }) => value),
    },
  };
}

/** Names in place of indexes, because a story that grew has its own order of names. */
const named = ({ kinds, reasons, columns }: StoryColumns) => ({
  at: [...Array.from(columns.at)],
  kind: Array.from(columns.kind, (kind) => kinds[kind]),
  contact: Array.from(columns.contact),
  reason: Array.from(columns.reason, (reason) => reasons[reason] ?? null),
  value: Array.from(columns.value),
});

/** Its buffer of times grows behind 1,024 rows, and doubles. */
const SIZES = [60, 511, 512, 513, 1_023, 1_024, 1_025, 2_049, 5_001];

describe("a campaign's story on the page", () => {
  it.each(SIZES)("that grew by %i events is the one that the service tells", (size) => {
    const rows = randomCampaign(size, size);
    for (const known of [2, 3, Math.floor(size / 2)]) {
      const story = growStory(columnsOf(rows.slice(0, known)), placeOf);
      for (const [index, { type, at, data }] of rows.entries()) {
        const event = { position: `${index}`, stream: "campaign-cmp_1", revision: index, type, data };
        expect(story.add({ ...event, occurredAt: instantFromMillis(at) })).toBe(
          index < known ? "known" : "next",
        );
      }
      const now = story.now();
      expect([...now.times]).toEqual(rows.map(({ at }) => at));
      expect(named(now.told)).toEqual(named(columnsOf(rows)));
    }
  });

  it("grows from a story without a row, from its first event's time on", () => {
    const rows = randomCampaign(7, 10).slice(2);
    const told = { ...columnsOf([]), startsAt: instantFromMillis(BEGIN - 5_000) };
    const story = growStory(told, placeOf);
    for (const [revision, { type, at, data }] of rows.entries())
      story.add({
        position: "1",
        stream: "campaign-cmp_1",
        revision,
        type,
        data,
        occurredAt: instantFromMillis(at),
      });
    expect([...story.now().times]).toEqual(rows.map(({ at }) => at));
    expect(named(story.now().told).at[0]).toBe((rows[0]?.at ?? 0) - BEGIN + 5_000);
  });

  it("tells of a contact that may not be called again whether it was being called", () => {
    const story = growStory(columnsOf([]), placeOf);
    const skipped = (revision: number, unknownCall: JsonValue) =>
      story.add({
        position: "1",
        stream: "campaign-cmp_1",
        revision,
        type: "ContactSkipped",
        data: { contactId: "ctc_1", outcome: "failed", unknownCall },
        occurredAt: instantFromMillis(BEGIN),
      });
    for (const [revision, call] of [
      { contactWas: "dialing" },
      { contactWas: "waiting_retry" },
      {},
      null,
      "call_1",
    ].entries())
      skipped(revision, call);
    expect(named(story.now().told).value).toEqual([null, 1, null, null, null]);
  });

  it.each(SIZES)("has at each slice of its chart what it is at that moment: %i events", (size) => {
    const rows = randomCampaign(size, size);
    const story = openStory(columnsOf(rows));
    const slices = 50;
    const wide = Math.ceil(((story.times.at(-1) ?? 0) - BEGIN + 1) / slices);
    const { counts, most } = seriesOf(story, BEGIN, BEGIN + wide * slices, slices);
    // Whoever is still to call is left blank: the chart is as high as the others are many.
    const [pending] = counts;
    expect(most).toBe(Math.max(...(pending ?? []).map((waiting) => CONTACTS - waiting)));
    for (let slice = 0; slice < slices; slice += 1)
      expect(counts.map((column) => column[slice])).toEqual(
        foldStory(story, BEGIN + (slice + 1) * wide - 1).counts,
      );
  });

  it("shows an empty chart of a campaign without contacts, and one of a single moment", () => {
    const empty = openStory({ ...columnsOf([]), contacts: 0 });
    expect(seriesOf(empty, BEGIN, BEGIN, 3)).toEqual({
      counts: STORY_STATUSES.map(() => new Uint32Array(3)),
      most: 1,
    });
  });

  it.each(SIZES)("counts attempts and their last end up to any moment: %i events", (size) => {
    const rows = randomCampaign(size, size);
    const told = columnsOf(rows);
    const random = seededRandom(size);
    for (let question = 0; question < 8; question += 1) {
      const at = rows[random(rows.length)]?.at ?? 0;
      const { counts, ends } = foldAttempts(openStory(told), at);
      const until = rows.filter((row) => row.at <= at);
      for (let contact = 0; contact < CONTACTS; contact += 1) {
        const own = until.filter((row) => row.contact === contact);
        expect(counts[contact]).toBe(own.filter(({ type }) => type === "ContactDialed").length);
        const end = own.findLast(({ type }) => ENDS.includes(type));
        expect(told.reasons[ends[contact] ?? -1]).toBe(end?.reason ?? undefined);
      }
    }
  });

  it("begins when calling began, however long before that the contacts were there", () => {
    const rows = randomCampaign(7, 60);
    const startedAt = BEGIN + 3_600_000;
    const later = rows.map((row) => (row.type === "CampaignStarted" ? { ...row, at: startedAt } : row));
    expect(startOf(openStory(columnsOf(later)))).toBe(startedAt);
    expect(startOf(openStory(columnsOf(rows.slice(0, 2))))).toBeNull();
  });

  it("turns where the campaign itself changes, not where a contact does", () => {
    const turn = (type: string, second: number): Row => ({
      type,
      at: BEGIN + second * 1_000,
      contact: -1,
      reason: null,
      value: null,
      data: {},
    });
    const types = ["Started", "Paused", "Resumed", "SettingsChanged", "Completed", "Cancelled"].map(
      (name) => `Campaign${name}`,
    );
    const rows = ["CampaignCreated", "ContactDialed", ...types, "ContactsAdded", "ContactSkipped"].map(turn);
    const at = (second: number) => BEGIN + second * 1_000;
    expect(turningPoints(openStory(columnsOf(rows)))).toEqual([2, 3, 4, 5, 6, 7, 8].map(at));
  });
});

describe("a row of the contacts", () => {
  const rows = randomCampaign(3, 400);
  const story = openStory(columnsOf(rows));
  const contactOf = (place: number): ContactRecord => ({
    id: idOf(place),
    phoneNumber: "+15005550006",
    name: null,
    customData: {},
    timezone: place % 2 === 0 ? null : ZONE,
    externalId: null,
    consent: null,
    status: "pending",
    attempts: [],
    nextAttemptAt: null,
    nextAttemptCause: null,
    callbackAt: null,
    hold: null,
    skipReason: null,
    optedOut: false,
    outcome: null,
    createdAt: "2026-09-01T10:00:00.000Z",
  });
  const HOLD = {
    rule: "oneCallAtATime",
    until: null,
    since: "2026-09-01T10:00:00.000Z",
    policyVersion: 1,
  } as const;
  const rowsAt = (at: number, since: number | null) => {
    const moment = foldStory(story, at);
    const moments = {
      story,
      moment,
      attempts: foldAttempts(story, at),
      at,
      timezone: "UTC",
      holds: new Map([[contactOf(1).id, HOLD]]),
    };
    const before = since === null ? null : foldStory(story, since);
    return Array.from({ length: CONTACTS }, (_, place) =>
      rowAt(contactOf(place), place, { ...moments, since: before }),
    );
  };

  it("says state, attempts, last end and next attempt of its contact at that moment", () => {
    const at = rows[300]?.at ?? 0;
    const moment = foldStory(story, at);
    const attempts = foldAttempts(story, at);
    for (const [place, row] of rowsAt(at, null).entries()) {
      const due = moment.nextAttemptAt[place] ?? Number.NaN;
      expect(row).toEqual({
        contact: contactOf(place),
        state: STORY_STATUSES[moment.contacts[place] ?? 0],
        before: undefined,
        attempts: attempts.counts[place],
        lastEnd: story.told.reasons[attempts.ends[place] ?? -1] ?? null,
        nextAttemptAt: Number.isNaN(due) ? null : due,
        isDue: due <= at,
        callbackZone: moment.callbacks.has(place) ? (place % 2 === 0 ? "UTC" : ZONE) : null,
        hold: place === 1 ? HOLD : null,
        optedOut: false,
      });
    }
    expect(rowsAt(at, null).some(({ nextAttemptAt }) => nextAttemptAt !== null)).toBe(true);
    expect(new Set(rowsAt(at, null).map(({ callbackZone }) => callbackZone))).toEqual(
      new Set([null, "UTC", ZONE]),
    );
  });

  it("says with an A-mark how its contact stood there, if otherwise; null where it was not there yet", () => {
    const [early, late] = [rows[100]?.at ?? 0, rows[300]?.at ?? 0];
    const then = foldStory(story, early);
    for (const [place, { state, before }] of rowsAt(late, early).entries()) {
      const was = STORY_STATUSES[then.contacts[place] ?? 0];
      expect(before).toBe(was === state ? undefined : was);
    }
    expect(new Set(rowsAt(late, BEGIN - 1).map(({ before }) => before))).toEqual(new Set([null]));
  });

  it("looks the same only when nothing of it differs", () => {
    const [row] = rowsAt(rows[300]?.at ?? 0, null);
    if (row === undefined) throw new Error("no row");
    expect(isSameRow(row, { ...row })).toBe(true);
    const others = [
      { contact: { ...row.contact } },
      { state: row.state === "failed" ? ("dialing" as const) : ("failed" as const) },
      { before: "skipped" as const },
      { attempts: row.attempts + 1 },
      { lastEnd: "another" },
      { nextAttemptAt: 1 },
      { isDue: !row.isDue },
      { callbackZone: "Asia/Tokyo" },
    ];
    expect(others.map((other) => isSameRow(row, { ...row, ...other }))).toEqual(others.map(() => false));
  });
});
