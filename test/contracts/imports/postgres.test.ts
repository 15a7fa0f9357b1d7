import { createPostgresImports } from "../../../infrastructure/postgres/imports.ts";
import { migratedDatabase } from "../../support/database.ts";
import { importsContract } from "./imports-contract.ts";

importsContract(async () => {
  const { pool, drop } = await migratedDatabase();
  return { imports: createPostgresImports(pool), end: drop };
});
