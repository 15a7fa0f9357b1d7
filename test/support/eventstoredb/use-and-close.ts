import { createEventStoreDbEventStore } from "../../../infrastructure/log/eventstoredb/event-store.ts";
import { exampleEvent } from "./example-events.ts";
import { createRecordingLogger } from "./recording-logger.ts";

/**
 * `node use-and-close.ts <url>`: a program that uses the adapter in every way, says so, and closes it at
 * SIGTERM. Nothing in it calls process.exit: it is over when nothing keeps it alive (fact 14).
 */
const [url = ""] = process.argv.slice(2);
const store = createEventStoreDbEventStore(createRecordingLogger(), {
  url,
  prefix: "exit-",
  attemptTimeoutMillis: 2_000,
});
const busy: Promise<unknown>[] = [];
process.once("SIGTERM", async () => {
  await store.close();
  await Promise.allSettled(busy);
  process.stdout.write("closed\n");
});
const stream = `call-${crypto.randomUUID()}`;
await store.append(stream, "no_stream", [exampleEvent()]);
const signal = new AbortController().signal; // never aborted: close alone must end the subscription
let told = false;
busy.push(
  (async () => {
    for await (const batch of store.subscribe({ after: "", signal })) {
      if (batch.caughtUp && !told) process.stdout.write("running\n");
      told ||= batch.caughtUp;
    }
  })(),
);
process.stdin.once("data", () => {
  busy.push(store.append(stream, 0, [exampleEvent()]), store.read(stream));
  process.stdout.write("in flight\n");
  process.stdin.destroy();
});
