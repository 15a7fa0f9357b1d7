import { randomUUID } from "node:crypto";
import type pg from "pg";
import type {
  Begun,
  Idempotency,
  IdempotencyClaim,
  IdempotentRequest,
  KeptAnswer,
} from "../../application/ports/idempotency.ts";
import type { Logger } from "../../application/ports/logger.ts";
import type { JsonObject } from "../../domain/shared/json.ts";

const LEASE_MILLIS = 10_000;
const RENEW_MILLIS = 3_000;
/** Polling interval of a waiting request; requests of this process are notified at once. */
const LOOK_MILLIS = 100;

type Row = {
  readonly taken: boolean;
  readonly fresh: boolean;
  readonly body_hash: string;
  readonly ids: JsonObject;
  readonly status: number | null;
  readonly body: string | null;
  readonly headers: Readonly<Record<string, string>> | null;
};

type Deps = { readonly pool: pg.Pool; readonly logger: Logger; readonly ended: Set<() => void> };

/** Rows of work.idempotency_keys. Keys older than a day count as never used; housekeeping removes them. */
export function createPostgresIdempotency(pool: pg.Pool, logger: Logger): Idempotency {
  const deps: Deps = { pool, logger, ended: new Set() };
  return {
    begin: async (request, { waitMillis, signal }) => {
      const until = performance.now() + waitMillis;
      for (;;) {
        const begun = await tryToBegin(deps, request);
        if (begun.kind !== "in_flight" || performance.now() >= until || signal?.aborted === true)
          return begun;
        await endOfSome(deps.ended, Math.min(LOOK_MILLIS, until - performance.now()), signal);
      }
    },
  };
}

async function tryToBegin(deps: Deps, request: IdempotentRequest): Promise<Begun> {
  const holder = randomUUID();
  const { owner, method, path, key, bodyHash, ids } = request;
  const { rows } = await deps.pool.query<Row>({
    name: "idempotency-begin",
    text: BEGIN,
    values: [owner, method, path, key, bodyHash, JSON.stringify(ids), holder, LEASE_MILLIS],
  });
  const [row] = rows;
  if (row === undefined) return { kind: "in_flight" };
  if (row.body_hash !== bodyHash) return { kind: "conflict" };
  if (row.status !== null) {
    return {
      kind: "replay",
      answer: { status: row.status, body: row.body ?? "", headers: row.headers ?? {} },
    };
  }
  if (!row.taken) return { kind: "in_flight" };
  return { kind: "claimed", takenOver: !row.fresh, ids: row.ids, claim: claimOf(deps, request, holder) };
}

/** The claim of one holder; its lease is renewed until the claim ends or is taken over. */
function claimOf(deps: Deps, request: IdempotentRequest, holder: string): IdempotencyClaim {
  const { owner, method, path, key } = request;
  const row = [owner, method, path, key];
  const renewal = setInterval(() => {
    deps.pool
      .query({ name: "idempotency-renew", text: RENEW, values: [...row, holder, LEASE_MILLIS] })
      .catch((error: unknown) => {
        deps.logger.warn({ problem: String(error) }, "the lease of an idempotency key was not renewed");
      });
  }, RENEW_MILLIS);
  renewal.unref();
  const end = async (text: string, values: readonly unknown[]): Promise<void> => {
    clearInterval(renewal);
    try {
      await deps.pool.query(text, [...row, ...values]);
    } finally {
      for (const wake of [...deps.ended]) wake();
    }
  };
  return {
    complete: ({ status, body, headers }: KeptAnswer) =>
      end(COMPLETE, [status, body, JSON.stringify(headers)]),
    free: () => end(FREE, [holder]),
    abandon: () => end(ABANDON, [holder]),
  };
}

/** Resolves when a claim of this process has ended, after the time, or when the caller goes away. */
async function endOfSome(
  ended: Set<() => void>,
  millis: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.max(0, millis));
  ended.add(resolve);
  signal?.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
  ended.delete(resolve);
}

const WHERE = "owner_id = $1 and method = $2 and path = $3 and key = $4";
const LEASE = (parameter: string) => `clock_timestamp() + ${parameter}::float8 * interval '1 millisecond'`;
const EXPIRED = "k.created_at <= clock_timestamp() - interval '24 hours'";

/**
 * Takes the key if it is new, expired, or its holder is gone, and returns the row. `fresh`: the ids are ours.
 * When another transaction inserts at the same moment, neither part sees a row: then it is in flight.
 */
const BEGIN = `
with taken as (
  insert into work.idempotency_keys as k (owner_id, method, path, key, body_hash, ids, holder, lease_until, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, ${LEASE("$8")}, clock_timestamp())
  on conflict (owner_id, method, path, key) do update set
    holder = excluded.holder, lease_until = excluded.lease_until,
    body_hash = excluded.body_hash,
    ids = case when ${EXPIRED} then excluded.ids else k.ids end,
    status = null, body = null, headers = null,
    created_at = case when ${EXPIRED} then excluded.created_at else k.created_at end
  where ${EXPIRED} or (k.status is null and k.body_hash = excluded.body_hash
    and (k.holder is null or k.lease_until <= clock_timestamp()))
  returning true as taken, k.created_at >= statement_timestamp() as fresh, k.body_hash, k.ids, k.status, k.body, k.headers
)
select * from taken
union all
select false, false, body_hash, ids, status, body, headers from work.idempotency_keys
where ${WHERE} and not exists (select 1 from taken)`;

/** An expired lease is not renewed: its holder was suspended for so long that another may have taken over. */
const RENEW = `update work.idempotency_keys set lease_until = ${LEASE("$6")}
where ${WHERE} and holder = $5 and status is null and lease_until > clock_timestamp()`;

/** What was erased meanwhile gets no answer any more. */
const COMPLETE = `update work.idempotency_keys set status = $5, body = $6, headers = $7, holder = null, lease_until = null
where ${WHERE} and status is null and body_hash <> 'erased'`;

const FREE = `delete from work.idempotency_keys where ${WHERE} and holder = $5 and status is null`;

const ABANDON = `update work.idempotency_keys set holder = null, lease_until = null
where ${WHERE} and holder = $5 and status is null`;
