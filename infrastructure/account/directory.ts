import type { Selectable } from "kysely";
import type pg from "pg";
import type {
  AssistantVersion,
  Directory,
  NumberEntry,
  ToolEntry,
} from "../../application/ports/directory.ts";
import type { PlanRecord } from "../../contract/account.ts";
import type { SuppressionEntry } from "../../domain/campaign/events.ts";
import type { AssistantId, CallId, OwnerId, PhoneNumberId, ToolId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import { groupRunner } from "../postgres/group-runner.ts";
import { draftOf } from "./configuration/assistant-columns.ts";
import { instantOfDate } from "./configuration/instant-of-date.ts";
import type { AssistantVersionsTable } from "./configuration/tables.ts";
import { listsWith, ON_LISTS } from "./listed-numbers.ts";
import { createOwnerCache } from "./owner-cache.ts";
import type { OwnerChanges } from "./owner-changes.ts";

type AssistantEntry = { readonly publishedVersion: number | null };
type OwnerEntry = { readonly active: boolean; readonly plan: PlanRecord };

const LARGEST_GROUP = 256;

/**
 * The owner's configuration for dials. Everything except the do-not-call list is cached until the
 * owner changes something.
 */
export function createPostgresDirectory(pool: pg.Pool, changes: OwnerChanges): Directory {
  const cache = createOwnerCache(changes);
  const asking = (statement: typeof SUPPRESSED) =>
    groupRunner<SuppressionQuestion, ReadonlySet<PhoneNumber>>(
      (questions) => listed(pool, statement, questions),
      LARGEST_GROUP,
    );
  const [askSuppressed, askOwnList] = [asking(SUPPRESSED), asking(ON_OWN_LIST)];
  return {
    phoneNumber: (owner, id) => cache.get(owner, id, () => phoneNumber(pool, owner, id)),
    assistant: (owner, id) => cache.get(owner, id, () => assistant(pool, owner, id)),
    assistantVersion: (owner, id, version) =>
      cache.get(owner, `${id} ${version}`, () => assistantVersion(pool, owner, id, version)),
    tools: (owner, ids) => cache.get(owner, `tools ${ids.join(" ")}`, () => tools(pool, owner, ids)),
    suppressed: (owner, numbers) => askSuppressed({ owner, numbers }),
    onOwnList: (owner, numbers) => askOwnList({ owner, numbers }),
    suppressions: (owner, numbers) => suppressionEntries(pool, owner, numbers),
    owner: (owner) => cache.get(owner, "owner", () => ownerEntry(pool, owner)),
    onChange: changes.onChange,
  };
}

async function phoneNumber(pool: pg.Pool, owner: OwnerId, id: PhoneNumberId): Promise<NumberEntry | null> {
  const { rows } = await pool.query<NumberEntry>(
    `select phone_number as "phoneNumber", active, connection_id as "connectionId" from config.phone_numbers where owner_id = $1 and id = $2`,
    [owner, id],
  );
  return rows[0] ?? null;
}

async function assistant(pool: pg.Pool, owner: OwnerId, id: AssistantId): Promise<AssistantEntry | null> {
  const { rows } = await pool.query<AssistantEntry>(
    `select published_version as "publishedVersion" from config.assistants where owner_id = $1 and id = $2`,
    [owner, id],
  );
  return rows[0] ?? null;
}

async function assistantVersion(
  pool: pg.Pool,
  owner: OwnerId,
  id: AssistantId,
  version: number,
): Promise<AssistantVersion | null> {
  const { rows } = await pool.query<Selectable<AssistantVersionsTable>>(
    `select v.* from config.assistant_versions v join config.assistants a on a.id = v.assistant_id
     where a.owner_id = $1 and v.assistant_id = $2 and v.version = $3`,
    [owner, id, version],
  );
  return rows[0] === undefined ? null : { assistantId: id, version, ...draftOf(rows[0]) };
}

async function tools(pool: pg.Pool, owner: OwnerId, ids: readonly ToolId[]): Promise<readonly ToolEntry[]> {
  if (ids.length === 0) return [];
  const { rows } = await pool.query<ToolEntry>(
    `select id as "toolId", name, type, description, config from config.tools
     where owner_id = $1 and id = any($2::text[]) order by array_position($2::text[], id::text)`,
    [owner, ids],
  );
  return rows;
}

type SuppressionQuestion = { readonly owner: OwnerId; readonly numbers: readonly PhoneNumber[] };

const OF_OWN_LIST = `select owner_id, phone_number from config.suppressions
  where (owner_id, phone_number) in (select * from asked)`;
const asked = (rows: string) =>
  `with asked as materialized (
    select * from unnest($1::text[], $2::text[]) as asked (owner_id, phone_number)
  ) ${rows}`;
const ON_OWN_LIST = { name: "on-own-list", text: asked(OF_OWN_LIST) };
const SUPPRESSED = {
  name: "suppressed",
  text: asked(`${OF_OWN_LIST} union all select asked.owner_id, asked.phone_number from ${ON_LISTS}`),
};

/**
 * Read for every dial, never cached. Concurrent requests share a statement, which begins
 * after they were made.
 */
async function listed(
  pool: pg.Pool,
  statement: typeof SUPPRESSED,
  questions: readonly SuppressionQuestion[],
): Promise<readonly ReadonlySet<PhoneNumber>[]> {
  const asked = questions.flatMap(({ owner, numbers }) => numbers.map((number) => ({ owner, number })));
  if (asked.length === 0) return questions.map(() => new Set());
  const { rows } = await pool.query<{ owner_id: OwnerId; phone_number: PhoneNumber }>({
    ...statement,
    values: [asked.map(({ owner }) => owner), asked.map(({ number }) => number)],
  });
  const found = Map.groupBy(rows, (row) => row.owner_id);
  return questions.map(({ owner, numbers }) => {
    const ofOwner = new Set(found.get(owner)?.map((row) => row.phone_number));
    return new Set(numbers.filter((number) => ofOwner.has(number)));
  });
}

async function suppressionEntries(
  pool: pg.Pool,
  owner: OwnerId,
  numbers: readonly PhoneNumber[],
): Promise<ReadonlyMap<PhoneNumber, SuppressionEntry>> {
  const { rows } = await pool.query<{
    readonly phone_number: PhoneNumber;
    readonly reason: string | null;
    readonly created_at: Date;
    readonly created_by: string | null;
    readonly call_id: CallId | null;
  }>(
    `select phone_number, reason, created_at, created_by, call_id from config.suppressions
     where owner_id = $1 and phone_number = any($2)`,
    [owner, numbers],
  );
  const found = new Map<PhoneNumber, SuppressionEntry>(
    rows.map(({ phone_number, reason, created_at, created_by: by, call_id: callId }) => [
      phone_number,
      { reason, createdAt: instantOfDate(created_at), by, ...(callId === null ? {} : { callId }) },
    ]),
  );
  for (const { phoneNumber, asOf, ...list } of await listsWith(pool, owner, numbers))
    if (!found.has(phoneNumber))
      found.set(phoneNumber, { reason: null, createdAt: instantOfDate(asOf), by: null, list });
  return found;
}

async function ownerEntry(pool: pg.Pool, owner: OwnerId): Promise<OwnerEntry | null> {
  const { rows } = await pool.query<PlanRecord & { readonly active: boolean }>(
    `select active, max_concurrent_calls as "maxConcurrentCalls", max_calls_per_second as "maxCallsPerSecond",
       max_model_tokens_per_day::float8 as "maxModelTokensPerDay", plan_source as "source"
     from config.users where id = $1`,
    [owner],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { active, ...plan } = row;
  return { active, plan };
}
