import { expect, it } from "vitest";
import { createPostgresSubjectKeys } from "../../../infrastructure/account/subject-keys/postgres-subject-keys.ts";
import { createPostgresImports } from "../../../infrastructure/postgres/imports.ts";
import { secretBox } from "../../../infrastructure/secrets.ts";
import { migratedDatabase } from "../../support/database.ts";
import { importsContract } from "./imports-contract.ts";

async function world() {
  const { pool, drop } = await migratedDatabase();
  const keys = createPostgresSubjectKeys(pool, secretBox(Buffer.alloc(32, 1)));
  return { pool, imports: createPostgresImports(pool, keys), keys, end: drop };
}

importsContract(world);

it("a key whose row is lost is not drawn again, and an erased one stays erased", async () => {
  const { pool, imports, keys, end } = await world();
  const at = "2026-09-01T10:00:00.000Z";
  await imports.begin({ importId: "imp_1", campaignId: "cmp_1", owner: "usr_1", at });
  await imports.begin({ importId: "imp_2", campaignId: "cmp_2", owner: "usr_1", at });
  await pool.query("delete from config.subject_keys where subject = 'cmp_1'");
  await pool.query(
    "update config.subject_keys set sealed_key = null, erased_at = now() where subject = 'cmp_2'",
  );
  await imports.begin({ importId: "imp_3", campaignId: "cmp_1", owner: "usr_1", at });
  await imports.begin({ importId: "imp_4", campaignId: "cmp_2", owner: "usr_1", at });
  expect([...(await keys.of(["cmp_1", "cmp_2"]))]).toEqual([["cmp_2", { kind: "erased" }]]);
  await end();
});
