import { expect, it } from "vitest";
import { abandonOldImports } from "../../../application/campaign/import-cleanup.ts";
import { createGivenUp } from "../../../application/given-up.ts";
import { EventStoreError } from "../../../application/ports/event-store.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { engineProcess, OWNER, pass, sharedStores, typesOf } from "../engine-world.ts";

const CAMPAIGN = "cmp_1";
const STREAM = `campaign-${CAMPAIGN}`;

it("abandons an import that was never sealed after 24 h, and not before", async () => {
  const stores = sharedStores();
  const { aggregates } = engineProcess(stores, { works: false });
  const now = stores.clock.now();
  await stores.imports.begin({ importId: "imp_1", campaignId: CAMPAIGN, owner: "usr_1", at: now });
  const origin = { owner: OWNER, actor: "key_1", correlationId: "req", causationId: null };
  const chunk = { campaignId: CAMPAIGN, importId: "imp_1", firstIndex: 0, contacts: [], now } as const;
  await aggregates.campaigns.handle(STREAM, [{ type: "ImportContacts", ...chunk }], origin);
  const deps = {
    campaigns: aggregates.campaigns,
    eventStore: memoryLog(stores).eventStore,
    imports: stores.imports,
    clock: stores.clock,
    logger: silentLogger,
    givenUp: createGivenUp(silentLogger),
  };
  await pass(stores, 23 * 3_600_000);
  expect(await abandonOldImports(deps)).toBe(0);
  await pass(stores, 2 * 3_600_000);
  expect(await abandonOldImports(deps)).toBe(1);
  expect(typesOf(stores, STREAM)).toEqual(["ContactsImported", "ImportAbandoned"]);
  expect(await abandonOldImports(deps)).toBe(0);
});

it("leaves an import aside whose campaign is gone, and abandons the others", async () => {
  const stores = sharedStores();
  const { aggregates } = engineProcess(stores, { works: false });
  const now = stores.clock.now();
  for (const [campaignId, importId] of [
    ["cmp_gone", "imp_1"],
    ["cmp_2", "imp_2"],
  ] as const) {
    await stores.imports.begin({ importId, campaignId, owner: "usr_1", at: now });
    const origin = { owner: OWNER, actor: "key_1", correlationId: "req", causationId: null };
    const chunk = { campaignId, importId, firstIndex: 0, contacts: [], now } as const;
    await aggregates.campaigns.handle(
      `campaign-${campaignId}`,
      [{ type: "ImportContacts", ...chunk }],
      origin,
    );
  }
  const { eventStore } = memoryLog({
    ...stores,
    wrap: (log) => ({
      ...log,
      read: async (stream, options) => {
        if (stream === "campaign-cmp_gone") throw new EventStoreError({ kind: "deleted", stream });
        return log.read(stream, options);
      },
    }),
  });
  const givenUp = createGivenUp(silentLogger);
  const { clock, imports } = stores;
  const deps = { campaigns: aggregates.campaigns, eventStore, imports, clock, givenUp };
  await pass(stores, 25 * 3_600_000);
  expect(await abandonOldImports({ ...deps, logger: silentLogger })).toBe(2);
  expect(typesOf(stores, "campaign-cmp_2")).toEqual(["ContactsImported", "ImportAbandoned"]);
  expect(givenUp.count("import-cleanup")).toBe(1);
  expect(await abandonOldImports({ ...deps, logger: silentLogger })).toBe(0);
});
