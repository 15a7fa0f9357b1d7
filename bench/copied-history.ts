import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { systemIds } from "../infrastructure/ids.ts";
import { temporaryFolder } from "../infrastructure/own-processes.ts";
import { startEmbeddedPostgres } from "../infrastructure/postgres/embedded/embedded-postgres.ts";

/**
 * A campaign as the service has written it into all of its tables, to be written again for other owners and
 * earlier times. Sealed texts of a copy cannot be opened: their keys belong to the first campaign.
 */
export type History = {
  readonly events: number;
  readonly calls: number;
  readonly owner: string;
  readonly tables: readonly Table[];
};

type Table = {
  readonly name: string;
  readonly columns: string;
  /** Rows older than this are removed by the service. */
  readonly keptMillis: number;
  /** Texts between the holes. */
  readonly literals: readonly string[];
  /** What stands in each hole, by its place in `found`. */
  readonly holes: Uint32Array;
  readonly found: readonly string[];
};

const DAY_MILLIS = 86_400_000;
/** Of copies: a multiple of the series' coarser step. */
const APART_MILLIS = 1_800_000;
export const CONTACTS = 1_000;
const OWNERS = 50;

const TABLES: readonly { readonly name: string; readonly keptDays?: number; readonly rows?: string }[] = [
  { name: "log.events" },
  { name: "read.calls_v3" },
  { name: "read.call_messages_v3" },
  { name: "read.campaigns_v4" },
  { name: "read.contacts_v5" },
  { name: "read.contact_groups_v5" },
  { name: "read.contact_imports_v5" },
  { name: "read.search_contact_blocks_v1" },
  { name: "read.search_named_v1" },
  {
    name: "read.search_call_blocks_v1",
    // What is left over makes a smaller block, since a copy has no owner whose next call it could wait for.
    rows: `select * from read.search_call_blocks_v1 union all
      select owner, max(id), min(id), string_agg(substr(number, 2), E'\\n' order by id), string_agg(' ' || lower(name), E'\\n' order by id),
        string_agg(id, E'\\n' order by id), json_agg(json_build_array(number, name) order by id)
      from read.search_calls_v1 group by owner`,
  },
  { name: "read.series_counts_v1" },
  { name: "config.subject_keys" },
  { name: "work.ledger", rows: "select * from work.ledger where call_id is not null" },
  { name: "work.recordings" },
  { name: "work.number_dials", keptDays: 35 },
  { name: "work.call_slots", keptDays: 1 },
  { name: "work.imports", keptDays: 2 },
  { name: "work.campaign_progress", keptDays: 1 },
  { name: "work.slot_demand", keptDays: 1 },
  { name: "work.webhook_messages" },
  { name: "work.webhook_deliveries" },
  { name: "work.webhook_attempts" },
];

/** Numbers that a copy has its own of, and the first id of a time. */
const MARKED = ["position", "bucket"];
const HOLE =
  /(?<=[a-z]_)[0-9a-hjkmnp-tv-z]{26}|[0-9a-f]{8}(?=-[0-9a-f]{4}-[0-9a-f]{4}-)|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00(?!:))|(?<!\d)12025\d{6}(?!\d)|@(?:position|bucket):\d+@/g;

/** What the first campaign of an installation left, once nothing is left to do. */
export async function takeHistory(pool: pg.Pool): Promise<History> {
  const folder = temporaryFolder("ringfold-history-");
  chmodSync(folder, 0o777);
  try {
    return await historyOf(pool, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function historyOf(pool: pg.Pool, folder: string): Promise<History> {
  const { rows } = await pool.query<{ owner: string; events: number; calls: number; fixed: string[] }>(
    `select (select min(id) from config.users) as owner, (select count(*)::int from log.events) as events,
       (select count(*)::int from read.calls_v3) as calls,
       array(select substr(id, 4) from config.phone_numbers union select substr(id, 5) from config.assistants
         union select left(data->'carrier'->>'instance', 8) from log.events where type = 'CallDialingBegan') as fixed`,
  );
  const { owner = "", events = 0, calls = 0, fixed = [] } = rows[0] ?? {};
  const tables: Table[] = [];
  for (const { name, keptDays = Number.POSITIVE_INFINITY, rows: given } of TABLES) {
    const columns = await columnsOf(pool, name);
    const shown = columns.map((column) =>
      MARKED.includes(column) ? `'@${column}:' || "${column}" || '@'` : `"${column}"`,
    );
    const file = join(folder, name);
    await pool.query(
      `copy (select ${shown.join(", ")} from (${given ?? `select * from ${name}`}) as each) to '${file}'`,
    );
    const parts = taken(readFileSync(file, "utf8"), new Set(fixed));
    rmSync(file);
    tables.push({
      name,
      columns: columns.map((column) => `"${column}"`).join(", "),
      keptMillis: keptDays * DAY_MILLIS,
      ...parts,
    });
  }
  return { events, calls, owner, tables };
}

/** Without those that a sequence gives. */
async function columnsOf(pool: pg.Pool, name: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0
       and not attisdropped and attidentity = '' order by attnum`,
    [name],
  );
  return rows.map((each) => each.name);
}

function taken(text: string, fixed: ReadonlySet<string>): Pick<Table, "literals" | "holes" | "found"> {
  const places = new Map<string, number>();
  const literals: string[] = [];
  const holes: number[] = [];
  let end = 0;
  for (const match of text.matchAll(HOLE)) {
    const [whole] = match;
    if (fixed.has(whole)) continue;
    const place = places.get(whole) ?? places.size;
    places.set(whole, place);
    literals.push(text.slice(end, match.index));
    holes.push(place);
    end = match.index + whole.length;
  }
  literals.push(text.slice(end));
  return { literals, holes: Uint32Array.from(holes), found: [...places.keys()] };
}

/**
 * Writes copies until the log of the stopped service has so many events, the oldest first; every second is
 * of the first owner, the others of fifty. Read models, reactions and webhooks are then where the log ends.
 */
export async function copyHistory(dataDir: string, history: History, untilEvents: number): Promise<void> {
  const server = await startEmbeddedPostgres({ dataDir });
  const pool = new pg.Pool({ ...server.connection, max: 1 });
  pool.on("error", () => undefined); // stopping the server cuts idle connections
  const folder = temporaryFolder("ringfold-copies-");
  chmodSync(folder, 0o755);
  try {
    const { rows } = await pool.query<{ end: number; before: number }>(
      `select (select max(position)::int from log.events) as end, (select count(*)::int from read.campaigns_v4) as before`,
    );
    const { end = 0, before = 0 } = rows[0] ?? {};
    const count = Math.max(0, Math.round((untilEvents - end) / history.events));
    const owners = await otherOwners(pool, history.owner);
    for (let copy = 0; copy < count; copy += 1) {
      const owner = copy % 2 === 0 ? history.owner : (owners[copy % owners.length] ?? history.owner);
      // Each filling is of times before those of the fillings before it.
      const back = (before + count - copy) * APART_MILLIS;
      await writeCopy(pool, folder, history, { back, owner, events: end + copy * history.events });
    }
    await pool.query(followToEnd("read.checkpoints", ", event_stream = stream, event_revision = revision"));
    await pool.query(followToEnd("work.checkpoints", ""));
    await pool.query("vacuum (analyze)");
    await pool.query("checkpoint");
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await pool.end();
    await server.stop();
  }
}

const followToEnd = (table: string, more: string) =>
  `update ${table} set position = e.position::text, event_id = e.event_id${more}
   from (select * from log.events order by position desc limit 1) e`;

/** They have what the first one has. */
async function otherOwners(pool: pg.Pool, first: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ id: string }>("select id from config.users where id <> $1", [first]);
  if (rows.length > 0) return rows.map(({ id }) => id);
  const ids = Array.from({ length: OWNERS }, () => systemIds.next("usr"));
  for (const [table, key] of [
    ["config.users", "id"],
    ["work.owner_accounts", "owner_id"],
  ])
    await pool.query(
      `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('${key}', new.id))).*
       from ${table} t, unnest($2::text[]) as new (id) where t.${key} = $1`,
      [first, ids],
    );
  return ids;
}

type Copy = { readonly back: number; readonly owner: string; readonly events: number };

async function writeCopy(pool: pg.Pool, folder: string, history: History, copy: Copy): Promise<void> {
  for (const table of history.tables) {
    if (copy.back > table.keptMillis) continue;
    const file = join(folder, table.name);
    writeFileSync(file, textOf(table, history.owner, copy), { mode: 0o644 });
    await pool.query(`copy ${table.name} (${table.columns}) from '${file}'`);
  }
}

function textOf({ literals, holes, found }: Table, owner: string, copy: Copy): string {
  const filled = found.map((text) => moved(text, owner, copy));
  const parts: string[] = [];
  for (const [index, hole] of holes.entries()) parts.push(literals[index] ?? "", filled[hole] ?? "");
  parts.push(literals.at(-1) ?? "");
  return parts.join("");
}

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;

/** An id of an earlier time, another UUID, an earlier time, another number, a later position. */
function moved(text: string, owner: string, { back, owner: other, events }: Copy): string {
  if (text.startsWith("@position:")) return String(Number(text.slice(10, -1)) + events);
  if (text.startsWith("@bucket:")) return String(Number(text.slice(8, -1)) - back / 60_000);
  if (text.charAt(4) === "-")
    return text.includes("T") ? iso(text, back) : iso(text, back).replace("T", " ").replace("Z", "+00");
  if (owner.endsWith(text)) return other.slice(-text.length);
  if (text.length === 26) return timeText(timeOf(text) - back) + text.slice(TIME_DIGITS);
  if (text.length === 8) return ((Number.parseInt(text, 16) ^ back) >>> 0).toString(16).padStart(8, "0");
  return String(Number(text) + (back / APART_MILLIS) * CONTACTS);
}

const iso = (text: string, back: number) =>
  new Date(Date.parse(text.replace("+00", "Z").replace(" ", "T")) - back).toISOString();

const timeOf = (id: string) =>
  [...id.slice(0, TIME_DIGITS)].reduce((sum, digit) => sum * 32 + DIGITS.indexOf(digit), 0);

function timeText(millis: number): string {
  let text = "";
  for (let rest = millis; text.length < TIME_DIGITS; rest = Math.floor(rest / 32))
    text = (DIGITS[rest % 32] ?? "0") + text;
  return text;
}
