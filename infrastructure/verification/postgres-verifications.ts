import type pg from "pg";
import type {
  FoundViolation,
  TakenVerification,
  Verification,
  VerificationRequest,
  VerificationResult,
  Verifications,
} from "../../application/ports/verifications.ts";
import type { OwnerId, VerificationId } from "../../domain/shared/ids.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import { pageOf } from "../account/configuration/page.ts";
import { inTransaction } from "../postgres/transaction.ts";

/** Under way at once for one owner. */
const MOST_AT_ONCE = 2;

/** Verifications in work.verifications, what they found in work.verification_violations. */
export function postgresVerifications(pool: pg.Pool): Verifications {
  return { ...asked(pool), ...workedOn(pool) };
}

function asked(pool: pg.Pool): Pick<Verifications, "add" | "find" | "list" | "violations"> {
  return {
    async add({ id, owner, createdAt, ...request }) {
      return inTransaction(pool, async (client) => {
        await client.query(LOCK, [owner]);
        const values = [id, owner, requestOf(request), createdAt, MOST_AT_ONCE];
        const { rowCount } = await client.query(ADD, values);
        return rowCount === 1;
      });
    },
    async find(owner, id) {
      const { rows } = await pool.query<Row>(`${SELECT} where owner_id = $1 and id = $2`, [owner, id]);
      return rows[0] === undefined ? null : verificationOf(rows[0]);
    },
    async list(owner, { limit, after }) {
      const { rows } = await pool.query<Row>(
        `${SELECT} where owner_id = $1 and ($2::text is null or id < $2) order by id desc limit $3`,
        [owner, after, limit + 1],
      );
      return pageOf(rows.map(verificationOf), limit, ({ id }) => id);
    },
    async violations(owner, id, { limit, after }) {
      const { rows } = await pool.query<ViolationRow>(VIOLATIONS, [owner, id, after ?? -1, limit + 1]);
      const { rows: kept, next } = pageOf(rows, limit, ({ place }) => place);
      return {
        rows: kept.map(({ violation, erased }) => (erased ? { ...violation, phoneNumber: null } : violation)),
        next,
      };
    },
  };
}

function workedOn(pool: pg.Pool): Pick<Verifications, "take" | "hold" | "addViolations" | "finish"> {
  return {
    async take(holder, ttlMillis) {
      const { rows } = await pool.query<Row & { readonly begun: number }>(TAKE, [holder, ttlMillis]);
      const [row] = rows;
      if (row === undefined) return null;
      await pool.query("delete from work.verification_violations where verification_id = $1", [row.id]);
      const taken: TakenVerification = { id: row.id, owner: row.owner_id, ...row.request, begun: row.begun };
      return taken;
    },
    async hold(id, holder, ttlMillis, { progress, dials }) {
      const { rowCount } = await pool.query(
        `update work.verifications set progress = $4, dials = $5,
           held_until = clock_timestamp() + $3 * interval '1 millisecond'
         where id = $1 and held_by = $2 and completed_at is null`,
        [id, holder, ttlMillis, progress, dials],
      );
      return rowCount === 1;
    },
    async addViolations(id, place, violations) {
      await pool.query(
        `insert into work.verification_violations (verification_id, place, violation)
         select $1, $2::integer + nr - 1, violation from jsonb_array_elements($3::jsonb) with ordinality as found(violation, nr)
         on conflict do nothing`,
        [id, place, JSON.stringify(violations)],
      );
    },
    async finish(id, holder, ended) {
      const failed = "problem" in ended;
      await pool.query(
        `update work.verifications set completed_at = clock_timestamp(), result = $3::jsonb, problem = $4,
           progress = case when $4::text is null then 1 else progress end, dials = coalesce($5::integer, dials)
         where id = $1 and held_by = $2 and completed_at is null`,
        [
          id,
          holder,
          failed ? null : JSON.stringify(ended),
          failed ? ended.problem : null,
          failed ? null : ended.dials,
        ],
      );
    },
  };
}

const SELECT = `select id, owner_id, request, progress, dials, result, problem, created_at, completed_at,
  coalesce(held_until > clock_timestamp(), false) as held from work.verifications`;

/** Two requests at once of an owner are counted one after the other. */
const LOCK = "select pg_advisory_xact_lock(hashtext('verifications'), hashtext($1))";

const ADD = `insert into work.verifications (id, owner_id, request, created_at)
  select $1, $2, $3::jsonb, $4::timestamptz
  where (select count(*) from work.verifications where owner_id = $2 and completed_at is null) < $5`;

const TAKE = `update work.verifications set held_by = $1, begun = begun + 1, progress = 0, dials = 0,
    held_until = clock_timestamp() + $2 * interval '1 millisecond'
  where id = (
    select id from work.verifications
    where completed_at is null and (held_until is null or held_until < clock_timestamp())
    order by id limit 1 for update skip locked)
  returning id, owner_id, request, begun`;

/** The number of an erasure is blank, whenever it was erased. */
const VIOLATIONS = `select place, violation, exists (
    select from work.erasures e where e.owner_id = v.owner_id and e.phone_number = found.violation ->> 'phoneNumber') as erased
  from work.verification_violations found join work.verifications v on v.id = found.verification_id
  where v.owner_id = $1 and v.id = $2 and found.place > $3 and v.result is not null order by found.place limit $4`;

type Row = {
  readonly id: VerificationId;
  readonly owner_id: OwnerId;
  readonly request: VerificationRequest;
  readonly progress: number;
  readonly dials: number;
  readonly result: VerificationResult | null;
  readonly problem: string | null;
  readonly created_at: Date;
  readonly completed_at: Date | null;
  readonly held: boolean;
};

type ViolationRow = {
  readonly place: number;
  readonly violation: FoundViolation;
  readonly erased: boolean;
};

function requestOf({ asked, judgedBy, version, from, until }: VerificationRequest): string {
  return JSON.stringify({ asked, judgedBy, version, from, until });
}

function verificationOf(row: Row): Verification {
  const { id, owner_id: owner, request, progress, dials, result, problem, completed_at: completedAt } = row;
  return {
    ...{ id, owner, ...request, progress, dials, result, problem },
    status: statusOf(row),
    createdAt: instantFromMillis(row.created_at.getTime()),
    completedAt: completedAt === null ? null : instantFromMillis(completedAt.getTime()),
  };
}

function statusOf({ completed_at: completedAt, problem, held }: Row): Verification["status"] {
  if (completedAt === null) return held ? "running" : "queued";
  return problem === null ? "done" : "failed";
}
