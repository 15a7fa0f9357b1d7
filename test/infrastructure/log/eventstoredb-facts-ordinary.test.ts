import { afterAll, beforeAll } from "vitest";
import { type EventStoreDbServer, startEventStoreDbServer } from "../../support/eventstoredb/server.ts";
import { describeOrdinaryFacts } from "./eventstoredb-ordinary-facts.ts";

let server: EventStoreDbServer;
beforeAll(async () => {
  server = await startEventStoreDbServer({ commitDelayMs: 1, commitTimeoutMs: 200 });
});
afterAll(() => server.stop());

describeOrdinaryFacts("on the protocol server", () => server.url);

const realNode = process.env["TEST_EVENTSTORE_URL"];
if (realNode !== undefined) describeOrdinaryFacts("on the real node", () => realNode);
