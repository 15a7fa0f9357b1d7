import type pg from "pg";
import type { Clock } from "../../application/ports/clock.ts";
import type { Logger } from "../../application/ports/logger.ts";
import { type DialGate, requireNoReason } from "../../application/restore/dial-gate.ts";

/**
 * Keeps the gate closed while the key of a call or of a campaign is missing: a lost row is damage, and more
 * may be lost.
 */
export type KeyGuard = {
  /** The first calls and campaigns with missing keys; null: not checked yet. */
  readonly lost: () => readonly string[] | null;
  /** Resolves after the first check, whatever its result. */
  readonly looked: Promise<void>;
  /** Resolves when no key was missing. */
  readonly whole: Promise<void>;
  /** Aborts when a key is found missing later: this process then dials nobody any more. */
  readonly broken: AbortSignal;
};

type Deps = {
  readonly pool: pg.Pool;
  readonly clock: Pick<Clock, "sleep">;
  readonly logger: Logger;
  readonly stop: AbortSignal;
};

const LOOK_MILLIS = 2_000;
const MOST_NAMED = 20;

/**
 * Checks every call and import of the last days at the start, and from then on events that were parked for a
 * missing key.
 */
export function guardKeys(deps: Deps): KeyGuard {
  const seen: { lost: readonly string[] | null } = { lost: null };
  const looked = Promise.withResolvers<void>();
  const whole = Promise.withResolvers<void>();
  const broken = new AbortController();
  void watch(deps, seen, { looked: looked.resolve, whole: whole.resolve, broken: () => broken.abort() });
  return { lost: () => seen.lost, looked: looked.promise, whole: whole.promise, broken: broken.signal };
}

async function watch(
  { pool, clock, logger, stop }: Deps,
  seen: { lost: readonly string[] | null },
  tell: { readonly looked: () => void; readonly whole: () => void; readonly broken: () => void },
): Promise<void> {
  let wasWhole = false;
  while (!stop.aborted) {
    try {
      const lost = await missingKeys(pool, wasWhole);
      if (lost.length > 0 && seen.lost?.join() !== lost.join())
        logger.error({ missing: lost }, sentence(lost));
      seen.lost = lost;
      if (lost.length === 0) {
        wasWhole = true;
        tell.whole();
      } else if (wasWhole) tell.broken();
    } catch (error) {
      logger.warn(
        { problem: String(error) },
        "the keys of calls and campaigns cannot be looked at; tried again",
      );
    }
    tell.looked();
    await clock.sleep(LOOK_MILLIS, stop);
  }
}

/**
 * Every call with a slot in the last 24 hours was given a key with it, and every campaign of the last 48
 * hours with its import. An event of an owner who is none of this database is foreign: another installation
 * writes under this prefix of EventStoreDB, and has its key.
 */
async function missingKeys(pool: pg.Pool, parkedAlone: boolean): Promise<readonly string[]> {
  const looked = parkedAlone
    ? [without(PARKED)]
    : [without(PARKED), without(IMPORTS), without(SLOTS, THEIRS)];
  const { rows } = await pool.query<{ subject: string }>(
    `select distinct subject from (${looked.join(" union all ")}) lost order by subject limit ${MOST_NAMED}`,
  );
  return rows.map(({ subject }) => subject);
}

function without(subjects: string, theirs = "true"): string {
  return `select subject from (${subjects}) known
    where not exists (select from config.subject_keys k where k.subject = known.subject and ${theirs})`;
}

const SLOTS = "select call_id as subject from work.call_slots";
/**
 * Ids begin with their time: the keys of a day stand together, and the join reads no others. An older id
 * among them widens the range; no call is left out.
 */
const THEIRS = `k.subject between (select min(call_id) from work.call_slots) and (select max(call_id) from work.call_slots)`;
const IMPORTS = "select campaign_id as subject from work.imports where keyed";
const PARKED = `select substr(problem, length('no key of ') + 1) as subject from work.parked_events
  where starts_with(problem, 'no key of ')
    and exists (select from config.users u where u.id = event -> 'metadata' ->> 'owner')`;

function sentence(lost: readonly string[]): string {
  const named = lost.length < MOST_NAMED ? lost.join(", ") : `${lost.join(", ")} and others`;
  const campaigns = lost.filter((subject) => subject.startsWith("cmp_"));
  const ways = [
    ...(campaigns.length < lost.length ? [OF_CALLS] : []),
    ...(campaigns.length > 0 ? [OF_CAMPAIGNS] : []),
  ];
  return (
    `keys are missing in config.subject_keys, which is damage: ${named}. Nobody is dialled. Put the rows back from a backup` +
    `${ways.join("")}; then start again`
  );
}

const OF_CALLS = ", or erase these calls (DELETE /api/v1/calls/<callId>/content)";
const OF_CAMPAIGNS =
  ". Without its key nobody knows whom a campaign (cmp_…) is to call; it is not deleted. To give its contacts up see docs/personal-data.md";

/** Open when the gate is open and no key is missing. */
export function withKeys(gate: DialGate, guard: KeyGuard): DialGate {
  const isWhole = () => guard.lost()?.length === 0;
  const whyClosed = () =>
    gate.whyClosed() ?? (isWhole() ? null : NOT_WHOLE[guard.lost() === null ? "asking" : "shut"]);
  return {
    ...gate,
    opened: Promise.all([gate.opened, guard.whole]).then(() => undefined),
    decided: Promise.all([gate.decided, guard.looked]).then(() => undefined),
    state: () => {
      if (guard.lost() === null) return "asking";
      return isWhole() ? gate.state() : "shut";
    },
    whyClosed,
    requireOpen: () => requireNoReason(whyClosed()),
  };
}

/** Without the calls: they may be of other owners. */
const NOT_WHOLE = {
  asking:
    "The keys of calls and campaigns have not been looked at since the start; nothing is lost, try again",
  shut: "Keys of calls or campaigns are missing, which is damage: nobody is dialled until they are back. GET /health/ready names them",
};
