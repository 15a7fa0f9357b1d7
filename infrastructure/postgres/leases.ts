import type pg from "pg";
import type { Leases } from "../../application/ports/leases.ts";

/** Rows of work.leases, by the database's clock only. */
export function createPostgresLeases(pool: pg.Pool): Leases {
  return {
    acquire: async (name, holder, ttlMillis) => {
      const { rowCount } = await pool.query({
        name: "lease-acquire",
        text: ACQUIRE,
        values: [name, holder, ttlMillis],
      });
      return rowCount === 1;
    },
    renew: async (names, holder, ttlMillis) => {
      const { rows } = await pool.query<{ name: string }>({
        name: "lease-renew",
        text: RENEW,
        values: [names, holder, ttlMillis],
      });
      return new Set(rows.map(({ name }) => name));
    },
    release: async (name, holder) => {
      await pool.query("delete from work.leases where name = $1 and holder = $2", [name, holder]);
    },
    abandoned: async (prefix, limit, formerHolder) => {
      const { rows } = await pool.query<{ name: string }>({
        name: "lease-abandoned",
        text: `select name from work.leases where starts_with(name, $1) and (until <= clock_timestamp() or holder = $3)
          order by until limit $2`,
        values: [prefix, limit, formerHolder ?? null],
      });
      return rows.map(({ name }) => name);
    },
  };
}

const UNTIL = "clock_timestamp() + $3::float8 * interval '1 millisecond'";

const ACQUIRE = `
insert into work.leases as lease (name, holder, until) values ($1, $2, ${UNTIL})
on conflict (name) do update set holder = excluded.holder, until = ${UNTIL}
where lease.holder = excluded.holder or lease.until <= clock_timestamp()`;

/** Locked in one order: two processes that renew the same names cannot deadlock. */
const RENEW = `
with held as (
  select name from work.leases where name = any($1::text[]) and holder = $2 and until > clock_timestamp()
  order by name for update
)
update work.leases lease set until = ${UNTIL} from held where lease.name = held.name returning lease.name`;
