import { askedOutcomes } from "../application/audit/analysis-rules.ts";
import { AUDIT_RULES } from "../application/audit/broken-rule.ts";
import { withOptOuts } from "../application/audit/opt-out-rules.ts";
import { withPolicies } from "../application/audit/policy/with-policies.ts";
import { verifyCampaign } from "../application/audit/verify-campaign.ts";
import { recordedEvents } from "../application/log/recorded-events.ts";
import type { Logger } from "../application/ports/logger.ts";
import { type OpenLog, openForReading } from "../composition/open-for-reading.ts";
import type { CallId, CampaignId, ContactId, OwnerId } from "../domain/shared/ids.ts";
import { type Instant, parseInstant } from "../domain/shared/instant.ts";
import { systemClock } from "../infrastructure/clock.ts";
import type { Config } from "../infrastructure/config.ts";
import { callSentences } from "../projections/history/call-sentences.ts";
import { campaignAndCalls } from "../projections/history/campaign-and-calls.ts";
import { campaignStoryteller } from "../projections/history/campaign-story.ts";
import { explainContact } from "../projections/history/explain/explain-contact.ts";
import { streamOfId } from "../projections/history/history-record.ts";
import { type LogDeps, streamHistory } from "../projections/history/stream-history.ts";
import { campaignAt, contactsAt } from "../projections/history/time-travel.ts";
import { withRecordedIntervals } from "../simulation/carrier/short-minutes.ts";
import { type Command, type Given, UsageError } from "./command-line.ts";
import { brokenLine, brokenRecord, explanationLines, stateLines } from "./replay-lines.ts";
import { replayPolicy } from "./replay-policy.ts";

export const REPLAY = {
  usage: "npm run replay -- <campaignId or callId> [options], or --policy FILE [options]",
  about:
    "Tells a campaign's history as the log has it, in the campaign's local time, or everything that happened on a call and what was said, in UTC. Works beside a running service, and finds the same log.",
  options: {
    at: {
      type: "string",
      value: "ISO",
      about: "of a campaign: its state at that time, for example 2026-09-01T10:00:00Z",
    },
    contact: {
      type: "string",
      value: "ID",
      about: "of a campaign: why this contact is, or then was, as it is",
    },
    json: { type: "boolean", default: false, about: "as JSON, a line for each event" },
    verify: {
      type: "boolean",
      default: false,
      about: "of a campaign: its history and that of its calls against the rules",
    },
    policy: {
      type: "string",
      value: "FILE",
      about: "every dial in the log against this policy: JSON as PUT /api/v1/policy takes it",
    },
    owner: {
      type: "string",
      value: "ID",
      about: "with --policy: dials of this owner; left out: of all, each for itself",
    },
    from: { type: "string", value: "ISO", about: "with --policy: dials from this time on" },
    until: { type: "string", value: "ISO", about: "with --policy: dials before this time" },
  },
  takesWords: true,
  environment: [
    "DATA_DIR",
    "DATABASE_URL",
    "SECRETS_KEY",
    "EVENTSTORE_URL",
    "EVENTSTORE_PREFIX",
    "SIMULATOR_MINUTE_MS",
    "LOG_LEVEL",
  ],
  exitCodes: {
    0: "told; with --verify or --policy every rule is kept",
    1: "a rule is broken, or it could not be told",
    2: "with --policy: the file or the log cannot be read",
  },
} as const satisfies Command;
const PAGE = 200;

type Print = (line: string) => void;
type Request = {
  readonly id: CampaignId | CallId;
  readonly at: Instant | null;
  readonly json: boolean;
  readonly verify: boolean;
  readonly contact: ContactId | null;
};

/**
 * `npm run replay -- <id>`: the history of a campaign or a call from the log, for a person or as JSON lines;
 * for a campaign with --at its state at that time, with --verify the audit. Returns the exit code: 1 when a
 * rule is broken. Rejects with one clear line.
 */
export async function replay(
  given: Given<typeof REPLAY>,
  config: Config,
  logger: Logger,
  print: Print,
): Promise<number> {
  if (given.values.policy !== undefined)
    return replayPolicy(given, () => openForReading(config, logger, "log"), print);
  const request = requestOf(given);
  const stores = await openForReading(config, logger, "log");
  try {
    const { id, at, json, contact } = request;
    const owner = await ownerOf(stores, id);
    if (owner === null) throw new Error(`The log has no ${isCampaignId(id) ? "campaign" : "call"} ${id}.`);
    if (isCampaignId(id)) {
      if (request.verify) {
        const { minuteMillis } = config.simulator;
        return await verify(stores, { id, owner, json, retryMinuteMillis: minuteMillis }, print);
      }
      if (contact !== null) {
        await explainTo(stores, owner, { campaignId: id, contactId: contact, at, json }, print);
        return 0;
      }
      if (at !== null) {
        await showState(stores, owner, id, at, json, print);
        return 0;
      }
    }
    if (json) await showRecords(stores, owner, id, print);
    else await tell(stores, id, print);
    return 0;
  } finally {
    await stores.close();
  }
}

function requestOf({ values, positionals }: Given<typeof REPLAY>): Request {
  if (values.owner !== undefined || values.from !== undefined || values.until !== undefined)
    throw new UsageError("--owner, --from and --until take a --policy", REPLAY);
  const [id, ...rest] = positionals;
  if (id === undefined || rest.length > 0 || !(isCampaignId(id) || isCallId(id)))
    throw new UsageError("One id of a campaign (cmp_…) or of a call (call_…) is needed", REPLAY);
  const at = values.at === undefined ? null : parseInstant(values.at);
  if (values.at !== undefined && at === null)
    throw new UsageError("--at takes a time such as 2026-09-01T10:00:00Z, with its offset", REPLAY);
  const { contact } = values;
  if (contact !== undefined && !isContactId(contact))
    throw new UsageError("--contact takes the id of a contact (ctc_…)", REPLAY);
  if (isCallId(id) && (at !== null || values.verify || contact !== undefined))
    throw new UsageError("--at, --contact and --verify take a campaign", REPLAY);
  return { id, at, json: values.json, verify: values.verify, contact: contact ?? null };
}

function isContactId(text: string): text is ContactId {
  return text.startsWith("ctc_");
}

function isCallId(text: string): text is CallId {
  return text.startsWith("call_");
}

function isCampaignId(text: string): text is CampaignId {
  return text.startsWith("cmp_");
}

async function ownerOf(stores: LogDeps, id: CampaignId | CallId): Promise<OwnerId | null> {
  for await (const { event } of recordedEvents(stores, streamOfId(id)))
    if (event.type === "CampaignCreated" || event.type === "CallRequested") return event.data.owner;
  return null;
}

async function tell(stores: LogDeps, id: CampaignId | CallId, print: Print): Promise<void> {
  const tellNext = isCampaignId(id) ? campaignStoryteller() : callSentences();
  for await (const recorded of recordedEvents(stores, streamOfId(id))) tellNext(recorded).forEach(print);
}

type AskedContact = {
  readonly campaignId: CampaignId;
  readonly contactId: ContactId;
  /** null: now. */
  readonly at: Instant | null;
  readonly json: boolean;
};

async function explainTo(
  stores: LogDeps,
  owner: OwnerId,
  { campaignId, contactId, at: asked, json }: AskedContact,
  print: Print,
): Promise<void> {
  const at = asked ?? systemClock.now();
  const explanation = await explainContact(stores, owner, { campaignId, contactId, at, language: "en" });
  if (typeof explanation === "string") throw new Error(`${campaignId} had no contact ${contactId} at ${at}.`);
  if (json) print(JSON.stringify(explanation));
  else explanationLines(explanation).forEach(print);
}

async function showRecords(
  stores: LogDeps,
  owner: OwnerId,
  id: CampaignId | CallId,
  print: Print,
): Promise<void> {
  let after: number | null = null;
  do {
    const page = await streamHistory(stores, owner, streamOfId(id), { limit: PAGE, after });
    for (const record of page?.rows ?? []) print(JSON.stringify(record));
    after = page?.next ?? null;
  } while (after !== null);
}

async function showState(
  stores: LogDeps,
  owner: OwnerId,
  id: CampaignId,
  at: Instant,
  json: boolean,
  print: Print,
): Promise<void> {
  const found = await campaignAt(stores, owner, id, at);
  if (found === null) throw new Error(`${id} was not created yet at ${at}.`);
  const contacts =
    (await contactsAt(stores, owner, id, at, {}, { limit: Number.MAX_SAFE_INTEGER, after: null }))?.rows ??
    [];
  if (json) {
    print(JSON.stringify({ at, ...found, contacts }));
    return;
  }
  stateLines(found.campaign, at, contacts).forEach(print);
}

async function verify(
  stores: OpenLog,
  {
    id,
    owner,
    json,
    retryMinuteMillis,
  }: Pick<Request, "json"> & {
    readonly id: CampaignId;
    readonly owner: OwnerId;
    readonly retryMinuteMillis: number;
  },
  print: Print,
): Promise<number> {
  const recorded = await campaignAndCalls(stores, id);
  const events = withRecordedIntervals(recorded, retryMinuteMillis);
  const broken = verifyCampaign(events, {
    now: systemClock.now(),
    withOptOuts: await withOptOuts(stores, owner, recorded),
    withPolicies: await withPolicies(stores, owner, recorded),
    outcomes: await askedOutcomes(stores.analysisSettings, recorded),
  });
  const rules = Object.keys(AUDIT_RULES).length;
  if (json)
    print(JSON.stringify({ campaignId: id, events: events.length, rules, broken: broken.map(brokenRecord) }));
  else if (broken.length === 0)
    print(
      `${id} keeps all ${rules} rules: ${events.length} events of the campaign and its calls were looked at.`,
    );
  else broken.map(brokenLine).forEach(print);
  return broken.length === 0 ? 0 : 1;
}
