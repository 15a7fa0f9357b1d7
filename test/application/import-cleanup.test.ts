import { expect, it } from "vitest";
import { createLeftAside } from "../../application/left-aside.ts";
import { abandonOldImports } from "../../application/process-managers/import-cleanup.ts";
import { createMemoryEventStore } from "../../infrastructure/event-store/memory.ts";
import { noCrashes, silentLogger } from "../support/silent.ts";
import { engineProcess, OWNER, pass, sharedStores, typesOf } from "./engine-world.ts";

const CAMPAIGN = "cmp_1";
const STREAM = `campaign-${CAMPAIGN}`;

it("abandons an import that was never sealed after 24 h, and not before", async () => {
  const stores = sharedStores();
  const { aggregates } = engineProcess(stores, { works: false });
  const now = stores.clock.now();
  await stores.imports.begin({ importId: "imp_1", campaignId: CAMPAIGN, at: now });
  const origin = { owner: OWNER, actor: "key_1", correlationId: "req", causationId: null };
  const chunk = { campaignId: CAMPAIGN, importId: "imp_1", firstIndex: 0, contacts: [], now } as const;
  await aggregates.campaigns.handle(STREAM, [{ type: "ImportContacts", ...chunk }], origin);
  const deps = {
    campaigns: aggregates.campaigns,
    eventStore: createMemoryEventStore(stores.clock, stores.database),
    imports: stores.imports,
    clock: stores.clock,
    crashPoints: noCrashes,
    logger: silentLogger,
    leftAside: createLeftAside(silentLogger),
  };
  await pass(stores, 23 * 3_600_000);
  expect(await abandonOldImports(deps)).toBe(0);
  await pass(stores, 2 * 3_600_000);
  expect(await abandonOldImports(deps)).toBe(1);
  expect(typesOf(stores, STREAM)).toEqual(["ContactsImported", "ImportAbandoned"]);
  expect(await abandonOldImports(deps)).toBe(0);
});
