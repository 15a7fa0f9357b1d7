import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createPostgresPinnedConversations } from "../../../infrastructure/pinned/postgres-pinned-conversations.ts";
import { migratedDatabase } from "../../support/database.ts";
import type { TestDatabase } from "../../support/postgres.ts";
import { CONVERSATION, pinnedConversationsContract } from "./contract.ts";

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

it("keeps in memory as many as have 16 Mi characters together", async () => {
  const stored = createPostgresPinnedConversations(database.pool);
  const keys: string[] = [];
  for (let number = 0; number < 5; number += 1)
    keys.push(await stored.store({ ...CONVERSATION, squadName: `${number}${"x".repeat(4_000_000)}` }));
  let asked = 0;
  const counted = new Proxy(database.pool, {
    get: (target, name) => {
      if (name === "query") asked += 1;
      const found: unknown = Reflect.get(target, name);
      return typeof found === "function" ? found.bind(target) : found;
    },
  });
  const { read } = createPostgresPinnedConversations(counted);
  for (const place of [0, 1, 2, 3, 0, 4, 0, 1]) {
    const found = await read(keys[place] ?? "");
    expect(found?.squadName?.[0]).toBe(String(place));
  }
  expect(asked).toBe(6);
});
