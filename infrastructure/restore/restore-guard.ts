import { createHash } from "node:crypto";
import type pg from "pg";
import type { CallsSince, UnnamedCall } from "../../application/ports/carrier.ts";
import type { CarrierRoute, Carriers } from "../../application/ports/carriers.ts";
import type { Clock } from "../../application/ports/clock.ts";
import type { EventCodec } from "../../application/ports/event-codec.ts";
import type { EventStore, Position } from "../../application/ports/event-store.ts";
import {
  CarrierSilentError,
  type Looked,
  type Restored,
  type RestoreGuard,
} from "../../application/ports/restore-guard.ts";
import { unknownCalls } from "../../application/restore/unknown-calls.ts";
import { unknownOwners } from "../../application/restore/unknown-owners.ts";
import { unnamedCalls } from "../../application/restore/unnamed-calls.ts";
import type { CallOfTheCarrier } from "../../domain/call/carrier-identity.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import { findRestored, lastSignOfLife } from "../postgres/alive.ts";
import { readInstallation } from "../postgres/installation.ts";
import { callsForgotten, databaseLost, databaseOlder } from "./restored.ts";

export type RestoreGuardDeps = {
  readonly pool: pg.Pool;
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly clock: Clock;
  readonly carriers: Pick<Carriers, "every">;
  readonly dataDir: string;
  /**
   * For a separate log (EventStoreDB): the position of this database's reactions in it; null: log and
   * database are one, and are restored together.
   */
  readonly separateLog: { readonly after: Position } | null;
};

/** A dial may be this much older than the sign of life after which it would be written. */
const BEFORE_THE_SIGN_MILLIS = 60_000;
/** When one carrier has answered, the others have this much time before they count as silent. */
const PATIENCE_MILLIS = 5_000;

export function createRestoreGuard(deps: RestoreGuardDeps): RestoreGuard {
  const { pool, carriers } = deps;
  let aliveAt: Instant | null = null;
  let answered: readonly string[] = [];
  const judge = async (
    alive: Instant,
    routes: readonly CarrierRoute[],
    isFirst: boolean,
  ): Promise<Looked> => {
    const answers = await askEach(deps, alive, routes, isFirst);
    const silent = answers.filter(({ answer }) => answer.kind === "unavailable").map(({ key }) => key);
    if (isFirst && silent.length > 0 && silent.length === routes.length)
      throw new CarrierSilentError("no carrier answers");
    answered = answers.map(({ key }) => key).filter((key) => !silent.includes(key));
    await noteUnasked(pool, silent, instantFromMillis(millisOf(alive) - BEFORE_THE_SIGN_MILLIS));
    const restored = await judged(deps, alive, answers, isFirst);
    if (restored === null) await forgetUnasked(pool, answered);
    return { restored, silent };
  };
  return {
    look: async () => {
      aliveAt ??= await lastSignOfLife(pool);
      if (aliveAt === null)
        return { restored: deps.separateLog === null ? null : await lookForLost(deps), silent: [] };
      return judge(aliveAt, await carriers.every(), true);
    },
    lookAgain: async (silent) => {
      if (aliveAt === null) return { restored: null, silent: [] };
      const routes = (await carriers.every()).filter(({ key }) => silent.includes(key));
      return judge(aliveAt, routes, false);
    },
    accepted: () => forgetUnasked(pool, answered),
  };
}

type Answer = { readonly key: string; readonly answer: CallsSince };

/** A slow carrier counts as silent for now when another one has answered. */
async function askEach(
  { pool, clock }: RestoreGuardDeps,
  aliveAt: Instant,
  routes: readonly CarrierRoute[],
  isFirst: boolean,
): Promise<readonly Answer[]> {
  const { acceptedUntil } = await readInstallation(pool);
  const unasked = await unaskedSince(pool);
  const regular = millisOf(aliveAt) - BEFORE_THE_SIGN_MILLIS;
  const accepted = acceptedUntil === null ? regular : Math.max(regular, millisOf(acceptedUntil) + 1);
  const answers = new Map<string, CallsSince>();
  const asked = routes.map(async ({ key, carrier }) => {
    const earlier = unasked.get(key);
    const since = earlier === undefined ? accepted : Math.min(regular, millisOf(earlier));
    const answer = await carrier.callsSince(instantFromMillis(since));
    answers.set(key, answer);
    if (answer.kind === "unavailable") throw new CarrierSilentError(answer.cause);
  });
  const oneAnswered = Promise.any(asked).then(() => clock.sleep(PATIENCE_MILLIS));
  const all = Promise.allSettled(asked);
  await (isFirst ? Promise.race([all, oneAnswered.catch(() => all)]) : all);
  const late: CallsSince = { kind: "unavailable", cause: "no answer yet" };
  return routes.map(({ key }) => ({ key, answer: answers.get(key) ?? late }));
}

/** The carrier is asked first, then the log. */
async function judged(
  deps: RestoreGuardDeps,
  aliveAt: Instant,
  answers: readonly Answer[],
  isFirst: boolean,
): Promise<Restored | null> {
  const { pool, eventStore, separateLog, dataDir } = deps;
  const answered = answers.flatMap(({ answer }) => (answer.kind === "calls" ? [answer] : []));
  const named = new Map(answered.flatMap(({ calls }) => calls).map((call) => [call.callId, call]));
  const unknown = await unknownCalls(eventStore, [...named.values()]);
  const unnamed = await judgeUnnamed(
    deps,
    answered.flatMap((each) => each.unnamed ?? []),
  );
  const older =
    separateLog === null || !isFirst ? null : await findRestored(pool, eventStore, separateLog.after);
  const calls = [...unknown, ...unnamed];
  if (calls.length > 0) return callsForgotten(dataDir, calls, aliveAt);
  return older === null ? null : databaseOlder(older);
}

/**
 * For a carrier without our ids: only calls from our numbers count, and of these only those that
 * match no dial in the log.
 */
async function judgeUnnamed(
  { pool, eventStore, codec }: RestoreGuardDeps,
  calls: readonly UnnamedCall[],
): Promise<readonly CallOfTheCarrier[]> {
  if (calls.length === 0) return [];
  const ours = await numbersJudged(pool);
  const counted = calls.filter(({ from }) => ours.has(from));
  const [first] = counted.map(({ at }) => at).toSorted();
  if (first === undefined) return [];
  const unknown = await unnamedCalls({ eventStore, codec }, counted, await recentDials(pool, first));
  return unknown.map((call) => ({ callId: nameOf(call), from: call.from, to: call.to, at: call.at }));
}

/** Deterministic: the value for the operator is made from it. */
function nameOf({ from, to, at }: UnnamedCall): CallId {
  const digest = createHash("sha256").update(`${from} ${to} ${at}`).digest("hex");
  return `call_0${digest.slice(0, 25)}`;
}

/** A database in which the service never ran, beside a log with events: PostgreSQL was lost or replaced. */
async function lookForLost({ pool, eventStore }: RestoreGuardDeps): Promise<Restored | null> {
  const { rows } = await pool.query<{ id: OwnerId }>("select id from config.users");
  const found = await unknownOwners(eventStore, new Set(rows.map(({ id }) => id)));
  return found === null ? null : databaseLost(found);
}

/** Numbers of all owners that no other program calls from. */
async function numbersJudged(pool: pg.Pool): Promise<ReadonlySet<PhoneNumber>> {
  const { rows } = await pool.query<{ phone_number: PhoneNumber }>(
    "select phone_number from config.phone_numbers group by phone_number having not bool_or(shared)",
  );
  return new Set(rows.map((row) => row.phone_number));
}

/** How much later a carrier may dial a call from its queue. */
const QUEUED_AT_MOST = "interval '15 minutes'";

/** Calls with a turn at that time or later. */
async function recentDials(pool: pg.Pool, since: Instant): Promise<readonly CallId[]> {
  const { rows } = await pool.query<{ call_id: CallId }>(
    `select call_id from work.call_slots where dial_at >= $1::timestamptz - ${QUEUED_AT_MOST}`,
    [since],
  );
  return rows.map((row) => row.call_id);
}

/**
 * Connections whose carrier has not answered yet, and the time from which its calls have to be asked
 * for; kept over restarts.
 */
async function unaskedSince(pool: pg.Pool): Promise<ReadonlyMap<string, Instant>> {
  const { rows } = await pool.query<{ key: string; since: Date }>(
    "select key, since from work.unasked_carriers",
  );
  return new Map(rows.map(({ key, since }) => [key, instantFromMillis(since.getTime())]));
}

/** The earliest time is kept. */
async function noteUnasked(pool: pg.Pool, keys: readonly string[], since: Instant): Promise<void> {
  if (keys.length === 0) return;
  await pool.query(
    "insert into work.unasked_carriers (key, since) select unnest($1::text[]), $2 on conflict (key) do nothing",
    [keys, since],
  );
}

async function forgetUnasked(pool: pg.Pool, keys: readonly string[]): Promise<void> {
  await pool.query("delete from work.unasked_carriers where key = any($1::text[])", [keys]);
}
