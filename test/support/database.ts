import { migrate } from "../../infrastructure/postgres/migrations/migrate.ts";
import { createTestDatabase, type TestDatabase, withTemplate } from "./postgres.ts";

/** A database of its own with all tables of this release, for one test file or one test. */
export async function migratedDatabase(): Promise<TestDatabase> {
  await withTemplate("migrated", migrate);
  return createTestDatabase({ template: "migrated" });
}
