import { createPostgresLeases } from "../../../infrastructure/postgres/leases.ts";
import { migratedDatabase } from "../../support/database.ts";
import { leasesContract } from "./leases-contract.ts";

leasesContract(async () => {
  const { pool, drop } = await migratedDatabase();
  return {
    leases: {
      ...createPostgresLeases(pool),
      holder: async (name) => {
        const { rows } = await pool.query<{ holder: string }>(
          "select holder from work.leases where name = $1 and until > clock_timestamp()",
          [name],
        );
        return rows[0]?.holder ?? null;
      },
    },
    // The database's clock cannot be moved: instead, what was agreed lies further back.
    pass: async (millis) => {
      await pool.query("update work.leases set until = until - $1::float8 * interval '1 millisecond'", [
        millis,
      ]);
    },
    end: drop,
  };
});
