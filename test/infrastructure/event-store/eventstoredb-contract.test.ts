import process from "node:process";
import { eventStoreContract } from "../../contracts/event-store/event-store-contract.ts";
import {
  createNodeHarness,
  createProtocolServerHarness,
} from "../../support/eventstoredb/event-store-harness.ts";

eventStoreContract("EventStoreDB, as the protocol server speaks it", createProtocolServerHarness, {
  restart: true,
  foreignTransactions: false,
  refusesRepeatedIds: false,
  removedStreams: true,
});

const node = process.env["TEST_EVENTSTORE_URL"];
if (node !== undefined) {
  eventStoreContract("EventStoreDB, a real node", async () => createNodeHarness(node), {
    restart: false,
    foreignTransactions: false,
    refusesRepeatedIds: false,
    removedStreams: true,
  });
}
