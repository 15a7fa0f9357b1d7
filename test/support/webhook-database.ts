import { migrate } from "../../infrastructure/postgres/migrations/migrate.ts";
import { createTestDatabase, type TestDatabase, withTemplate } from "./postgres.ts";

/** A database of its own with the tables of the service. */
export async function webhookDatabase(): Promise<TestDatabase> {
  await withTemplate("webhooks", migrate);
  return createTestDatabase({ template: "webhooks" });
}
