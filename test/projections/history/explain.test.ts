import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordedEvents } from "../../../application/log/recorded-events.ts";
import { callStream, campaignStream, policyStream } from "../../../application/log/stream-names.ts";
import type { RecordedEvent } from "../../../application/ports/event-codec.ts";
import type { Explanation } from "../../../contract/campaign-story.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import { explain } from "../../../projections/history/explain/explain-contact.ts";
import { type HistoryEvent, randomHistory } from "../random-history.ts";
import { codec, openReadWorld, queriesOf, type ReadWorld } from "../read-world.ts";

const WHOLE = { limit: 10_000, after: null };

describe("why a contact is as it is", () => {
  let world: ReadWorld;
  beforeAll(async () => {
    world = await openReadWorld("memory");
  });
  afterAll(() => world.close());

  it("holds in the log at every moment, and not in one that was tampered with", async () => {
    const queries = queriesOf(world, world.start());
    const history = [5, 6, 11].flatMap((seed) =>
      randomHistory(seed, 700).map((event) => renamed(event, seed)),
    );
    await world.append(history);
    const verdicts = new Set<string>();
    let refuted = 0;
    for (const { event, owner } of history) {
      if (event.type !== "CampaignCreated") continue;
      const { campaignId } = event.data;
      const log = await all(recordedEvents({ ...world, codec }, campaignStream(campaignId)));
      const policies = await all(recordedEvents({ ...world, codec }, policyStream(owner)));
      const ends = await endsOfHolders(world, log);
      const times = log.filter((_, index) => index % 5 === 0).map(({ event: { data } }) => data.at);
      for (const at of [plusMillis(event.data.at, 0), ...times, plusMillis(event.data.at, 10 ** 8)]) {
        const campaign = await queries.campaignAt(owner, campaignId, at);
        const contacts = (await queries.contactsAt(owner, campaignId, at, {}, WHOLE))?.rows ?? [];
        for (const { id: contactId, status, nextAttemptAt, hold } of contacts) {
          const question = { campaignId, contactId, at, language: "en" } as const;
          const told = await queries.explain(owner, question);
          if (typeof told === "string") throw new Error(`${told}: ${contactId}`);
          verdicts.add(told.verdict);
          const known = { policies, ends };
          expect([contactId, at, problems(told, log, known)]).toEqual([contactId, at, []]);
          expect(STATUSES[told.verdict]).toContain(status);
          if (told.verdict === "held_by_policy") expect(told.hold).toMatchObject(hold ?? {});
          else if (hold !== null) expect(["paused", "suppressed", "skipped"]).toContain(told.verdict);
          if (told.verdict === "paused") expect(campaign?.campaign.status).toBe("PAUSED");
          if (told.verdict === "not_started") expect(campaign?.campaign.status).toBe("PENDING");
          if (told.verdict === "waiting_retry") expect(told.until).toBe(nextAttemptAt);
          for (const tampered of tamperings(log, told)) {
            expect(problems(told, tampered, known)).not.toEqual([]);
            refuted += 1;
          }
          for (const tampered of tamperings(policies, told)) {
            expect(problems(told, log, { ends, policies: tampered })).not.toEqual([]);
            refuted += 1;
          }
        }
      }
    }
    expect(refuted).toBeGreaterThan(500);
    const sure = [
      "cancelled",
      "due",
      "held_by_policy",
      "in_call",
      "not_started",
      "paused",
      "reached",
      "skipped",
    ];
    for (const seen of sure) expect(verdicts).toContain(seen);
  }, 240_000);

  it("is nobody else's, and of nobody who was not there", async () => {
    const queries = queriesOf(world, world.start());
    const question = {
      campaignId: "cmp_nobody",
      contactId: "ctc_1",
      at: "2030-01-01T00:00:00.000Z",
    } as const;
    expect(await queries.explain("usr_1", { ...question, language: "en" })).toBe("campaign_unknown");
  });
});

/** The same history under ids of its own; `outside_call_window` is none. */
function renamed(event: HistoryEvent, seed: number): HistoryEvent {
  return JSON.parse(JSON.stringify(event).replaceAll(/\b(cmp|ctc|call|imp|sqd|mbr|hnd)_/g, `$1_s${seed}x`));
}

/** What a contact's status can be under a verdict, as the read models have it. */
const STATUSES: Readonly<Record<string, readonly string[]>> = {
  skipped: ["skipped", "failed", "dialing", "succeeded"],
  suppressed: ["skipped", "failed", "dialing", "succeeded"],
  cancelled: ["skipped", "failed"],
  reached: ["succeeded"],
  in_call: ["dialing"],
  failed_for_good: ["failed"],
  budget_used: ["failed"],
  not_started: ["pending"],
  paused: ["pending", "waiting_retry"],
  waiting_retry: ["waiting_retry"],
  held_by_policy: ["pending", "waiting_retry"],
  outside_own_window: ["pending", "waiting_retry"],
  due: ["pending", "waiting_retry"],
};

/**
 * Each event that it names stands there, as it says, and happened by then; and the log, told
 * again, comes to the same.
 */
function problems(told: Explanation, log: readonly RecordedEvent[], { policies, ends }: Known): string[] {
  const missing = told.because.filter(({ position, type, at }) => {
    const found = [...log, ...policies].find((each) => each.position === position);
    return found === undefined || found.event.type !== type || found.event.data.at !== at || at > told.at;
  });
  const happened = log.filter(({ event }) => event.type === "ContactsImported" || event.data.at <= told.at);
  const { campaignId, contactId, at } = told;
  const policy = policies.flatMap((each) => {
    const { event } = each;
    return event.type === "PolicyChanged" && event.data.at <= at ? [{ ...each, event }] : [];
  });
  const ended = new Set([...ends].filter(([, end]) => end <= at).map(([callId]) => callId));
  const standing = { policy: policy.at(-1) ?? null, ended };
  const again = explain(happened, { campaignId, contactId, at, language: "en" }, standing);
  const differs =
    again?.sentence === told.sentence && again.verdict === told.verdict ? [] : [`now ${again?.verdict}`];
  return [...missing.map(({ type }) => `no ${type}`), ...differs];
}

/** What the campaign's log does not say. */
type Known = {
  readonly policies: readonly RecordedEvent[];
  /** Of the calls that held contacts. */
  readonly ends: ReadonlyMap<CallId, Instant>;
};

async function endsOfHolders(world: ReadWorld, log: readonly RecordedEvent[]): Promise<Known["ends"]> {
  const ends = new Map<CallId, Instant>();
  for (const { event } of log) {
    if (event.type !== "ContactHeld" || event.data.heldBy === null) continue;
    for await (const { event: each } of recordedEvents({ ...world, codec }, callStream(event.data.heldBy)))
      if (each.type === "CallCompleted" || each.type === "CallFailed")
        ends.set(each.data.callId, each.data.at);
  }
  return ends;
}

/** The log without an event that was named, and with one that happened at another time. */
function tamperings(log: readonly RecordedEvent[], told: Explanation): RecordedEvent[][] {
  const positions = new Set(log.map(({ position }) => position));
  return told.because
    .filter(({ position }) => positions.has(position))
    .flatMap(({ position }) => [
      log.filter((each) => each.position !== position),
      log.map((each) => (each.position === position ? { ...each, event: later(each.event) } : each)),
    ]);
}

function later(event: RecordedEvent["event"]): RecordedEvent["event"] {
  const changed = { ...event, data: { ...event.data, at: plusMillis(event.data.at, 1) } };
  return changed as CampaignEvent;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
