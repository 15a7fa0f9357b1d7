import process from "node:process";
import { addForeignEvents } from "./foreign-events.ts";
import { startEventStoreDbServer } from "./server.ts";

/**
 * `node crowded-node.ts <foreign events> [port]`: the protocol server with the node's own commit timeout
 * and events of others in its log, to be named in TEST_EVENTSTORE_URL as a real node is. Prints its URL;
 * ends at SIGTERM or SIGINT.
 */
const [foreign = "0", port = "0"] = process.argv.slice(2);
const server = await startEventStoreDbServer({ port: Number(port), commitDelayMs: 10 });
addForeignEvents(server.log, Number(foreign));
process.stdout.write(`${server.url}\n`);
for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => void server.stop());
