import process from "node:process";
import { parseArgs } from "node:util";
import type { ContactRecord } from "../application/ports/queries.ts";
import { campaignStream } from "../application/stream-names.ts";
import type { CampaignId, OwnerId } from "../domain/shared/ids.ts";
import { type Instant, parseInstant } from "../domain/shared/instant.ts";
import { ConfigError, readConfig } from "../infrastructure/config.ts";
import { createLogger } from "../infrastructure/logger.ts";
import { campaignStoryteller } from "../projections/campaign-story.ts";
import { type LogDeps, recordedEvents, streamHistory } from "../projections/stream-history.ts";
import { campaignAt, contactsAt } from "../projections/time-travel.ts";
import { openStores } from "./open-stores.ts";
import { openingProblem } from "./opening-problem.ts";

const USAGE = "Usage: npm run replay -- <campaignId> [--at ISO] [--json]";
const PAGE = 200;

type Request = { readonly id: CampaignId; readonly at: Instant | null; readonly json: boolean };

/** `npm run replay -- <campaignId>`: a campaign's history as the log has it, told for a person or as JSON lines; with --at its state then. */
async function main(): Promise<void> {
  const request = parseRequest(process.argv.slice(2));
  const config = readConfig();
  const logger = createLogger(config.logLevel === "info" ? "warn" : config.logLevel);
  const stores = await openStores(config, logger, "tool");
  try {
    const owner = await ownerOf(stores, request.id);
    if (owner === null) throw new Error(`The log has no campaign ${request.id}.`);
    if (request.at !== null) await showState(stores, owner, request.id, request.at, request.json);
    else if (request.json) await showRecords(stores, owner, request.id);
    else await tell(stores, request.id);
  } finally {
    await stores.close();
  }
}

function parseRequest(args: string[]): Request {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { at: { type: "string" }, json: { type: "boolean", default: false } },
  });
  const [id, ...rest] = positionals;
  if (id === undefined || rest.length > 0 || !isCampaignId(id)) throw new Error(USAGE);
  const at = values.at === undefined ? null : parseInstant(values.at);
  if (values.at !== undefined && at === null)
    throw new Error(`--at takes a time such as 2026-09-01T10:00:00Z, with its offset. ${USAGE}`);
  return { id, at, json: values.json };
}

function isCampaignId(text: string): text is CampaignId {
  return text.startsWith("cmp_");
}

async function ownerOf(stores: LogDeps, id: CampaignId): Promise<OwnerId | null> {
  for await (const { event } of recordedEvents(stores, campaignStream(id)))
    if (event.type === "CampaignCreated") return event.data.owner;
  return null;
}

async function tell(stores: LogDeps, id: CampaignId): Promise<void> {
  const tellNext = campaignStoryteller();
  for await (const recorded of recordedEvents(stores, campaignStream(id))) tellNext(recorded).forEach(print);
}

async function showRecords(stores: LogDeps, owner: OwnerId, id: CampaignId): Promise<void> {
  let after: number | null = null;
  do {
    const page = await streamHistory(stores.eventStore, owner, campaignStream(id), { limit: PAGE, after });
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
  const { campaign } = found;
  print(
    `“${campaign.name}” (${id}) at ${at}: ${campaign.status}${campaign.pauseReason === null ? "" : `, ${campaign.pauseReason}`}`,
  );
  print(
    `${campaign.totalContacts} contacts: ${campaign.successfulCalls} reached, ${campaign.failedCalls} failed, ${campaign.skippedContacts} skipped, ${campaign.activeCalls} in a call, ${campaign.pendingCalls} still to be called`,
  );
  for (const contact of contacts) print(contactLine(contact));
}

function contactLine({ id, name, phoneNumber, status, attempts, nextAttemptAt }: ContactRecord): string {
  const tries = attempts
    .map(({ attempt, endReason, status: call }) => `${attempt}: ${endReason ?? call}`)
    .join(", ");
  const next = nextAttemptAt === null ? "" : `; next at ${nextAttemptAt}`;
  return `  ${id} ${name === null ? "" : `${name} `}${phoneNumber}: ${status}${tries === "" ? "" : ` (${tries})`}${next}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

// Whoever reads the story may stop reading (`| head`).
process.stdout.on("error", () => process.exit(0));

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const lines = error instanceof ConfigError ? error.lines : [openingProblem(error)];
    for (const line of lines) process.stderr.write(`${line}\n`);
    process.exit(1);
  },
);
