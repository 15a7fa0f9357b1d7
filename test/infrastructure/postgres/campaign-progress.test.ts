import { afterAll, beforeAll, expect, it } from "vitest";
import type { ProgressReport } from "../../../application/ports/campaign-progress.ts";
import { createPostgresCampaignProgress } from "../../../infrastructure/postgres/campaign-progress.ts";
import { migratedDatabase } from "../../support/database.ts";
import type { TestDatabase } from "../../support/postgres.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await migratedDatabase();
});
afterAll(() => database.drop());

const report = (changes: Partial<ProgressReport> = {}): ProgressReport => ({
  campaignId: "cmp_1",
  owner: "usr_1",
  dueNow: 3,
  waitingFor: "slots",
  estimatedEndAt: "2026-09-01T10:00:00.125Z",
  ...changes,
});
const aged = (millis: number) =>
  database.pool.query(
    `update work.campaign_progress set as_of = clock_timestamp() - interval '${millis} milliseconds'`,
  );

it("keeps the last report of each campaign, for its owner alone", async () => {
  const progress = createPostgresCampaignProgress(database.pool);
  await progress.write([report(), report({ campaignId: "cmp_2", dueNow: 0, waitingFor: null })]);
  await progress.write([report({ dueNow: 2, waitingFor: "pace", estimatedEndAt: null })]);
  const asOf = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(await progress.find("usr_1", "cmp_1")).toEqual({
    asOf,
    dueNow: 2,
    waitingFor: "pace",
    estimatedEndAt: null,
  });
  expect(await progress.find("usr_1", "cmp_2")).toEqual({
    asOf,
    dueNow: 0,
    waitingFor: null,
    estimatedEndAt: "2026-09-01T10:00:00.125Z",
  });
  expect(await progress.find("usr_2", "cmp_1")).toBeNull();
  expect(await progress.find("usr_1", "cmp_3")).toBeNull();
});

it("knows nothing any more after 5 s", async () => {
  const progress = createPostgresCampaignProgress(database.pool);
  await progress.write([report()]);
  await aged(3_000);
  expect(await progress.find("usr_1", "cmp_1")).not.toBeNull();
  await aged(5_001);
  expect(await progress.find("usr_1", "cmp_1")).toBeNull();
});
