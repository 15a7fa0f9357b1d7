import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPostgresPinnedConversations } from "../../../infrastructure/pinned/postgres-pinned-conversations.ts";
import { migratedDatabase } from "../../support/database.ts";
import type { TestDatabase } from "../../support/postgres.ts";
import { pinnedConversationsContract } from "./contract.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.drop());

pinnedConversationsContract(() => ({
  first: createPostgresPinnedConversations(database.pool),
  again: createPostgresPinnedConversations(database.pool),
}));

it("stores the very text that the key is made of", async () => {
  const { rows } = await database.pool.query<{ sha256: string; body: string }>(
    "select sha256, body::text as body from config.pinned",
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { sha256, body } of rows) expect(createHash("sha256").update(body).digest("hex")).toBe(sha256);
});
