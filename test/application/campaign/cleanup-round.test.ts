import { beforeEach, describe, expect, it } from "vitest";
import { abandonOldImports, runImportCleanup } from "../../../application/campaign/import-cleanup.ts";
import { createGivenUp } from "../../../application/given-up.ts";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import type { CampaignId } from "../../../domain/shared/ids.ts";
import { plusMillis } from "../../../domain/shared/instant.ts";
import { createMemoryImports } from "../../../simulation/memory/imports.ts";
import { contact, imported } from "../../domain/campaign/example-campaign.ts";
import { type MemoryLog, memoryLog } from "../../support/memory-log.ts";

const DAY_MILLIS = 24 * 3_600_000;
const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

let log: MemoryLog;
let broken: Error | null;
let deps: Parameters<typeof abandonOldImports>[0];
beforeEach(() => {
  broken = null;
  log = memoryLog({
    wrap: (memory) => ({
      ...memory,
      read: async (...asked) => {
        if (broken !== null) throw broken;
        return memory.read(...asked);
      },
    }),
  });
  const { campaigns } = log.aggregates;
  deps = { ...log, campaigns, imports: createMemoryImports(log.keys), givenUp: createGivenUp(log.logger) };
});

/** An import that began so long ago, with one chunk unless `empty`. */
async function began(millisAgo: number, { empty = false } = {}): Promise<void> {
  const at = plusMillis(log.clock.now(), -millisAgo);
  await deps.imports.begin({ importId: "imp_1", campaignId: "cmp_1", owner: "usr_1", at });
  if (!empty) await log.storeFor("usr_7", "campaign-cmp_1", imported([contact(1)]));
}
const last = async (id: CampaignId = "cmp_1") => (await log.eventStore.read(`campaign-${id}`)).at(-1);

describe("a round of the cleanup", () => {
  it("abandons what began more than a day ago for whoever began it, and forgets it then", async () => {
    await began(DAY_MILLIS);
    expect(await abandonOldImports(deps)).toBe(0);
    log.clock.advance(1);
    expect(await abandonOldImports(deps)).toBe(1);
    expect(await last()).toMatchObject({
      type: "ImportAbandoned",
      metadata: {
        owner: "usr_7",
        actor: "process:import-cleanup",
        correlationId: "cmp_1",
        causationId: null,
      },
    });
    expect(await abandonOldImports(deps)).toBe(0);
  });

  it("forgets an import of which not even a chunk came to be", async () => {
    await began(DAY_MILLIS + 1, { empty: true });
    expect(await abandonOldImports(deps)).toBe(1);
    expect(await abandonOldImports(deps)).toBe(0);
    await expect(last()).rejects.toThrow("not_found");
    expect(deps.givenUp.count("import-cleanup")).toBe(0);
  });

  it("leaves aside one whose campaign can never be read, and says which", async () => {
    await began(DAY_MILLIS + 1);
    broken = new EventStoreError({ kind: "deleted", stream: "campaign-cmp_1" });
    expect(await abandonOldImports(deps)).toBe(1);
    expect(log.said).toMatchObject([
      ["error", "left aside for good", { importId: "imp_1", campaignId: "cmp_1" }],
    ]);
    expect(await abandonOldImports(deps)).toBe(0);
  });
});

it("the cleanup tries again ten minutes after the log was away, and forgets nothing", async () => {
  await began(DAY_MILLIS + 1);
  broken = new EventStoreError({ kind: "unavailable", cause: "away" });
  const stop = new AbortController();
  const running = runImportCleanup(deps, stop.signal);
  await settled();
  expect(log.said).toMatchObject([["error", "old imports not abandoned; tries again", { error: broken }]]);
  broken = null;
  log.clock.advance(10 * 60_000 - 1);
  await settled();
  expect((await last())?.type).toBe("ContactsImported");
  log.clock.advance(1);
  await settled();
  expect((await last())?.type).toBe("ImportAbandoned");
  stop.abort();
  await running;
});
