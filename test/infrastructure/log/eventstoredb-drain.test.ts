import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { drain } from "../../../infrastructure/log/eventstoredb/drain.ts";

/** As the client builds its reads: the call of gRPC piped into a stream that the reader gets. */
function openRead() {
  const call = new PassThrough({ objectMode: true });
  const read = Object.assign(new PassThrough({ objectMode: true }), { cancel: async () => undefined });
  call.pipe(read);
  return { call, read };
}

const limits = { what: "read", idleMillis: 10_000, signal: new AbortController().signal };

it("a call that the server ends just when its reader stops ends here as well", async () => {
  const { call, read } = openRead();
  call.write("first");
  await drain(read, limits, () => "stop");
  await nextTurn();
  call.end();
  await finished(call); // the client's dispose waits for this
  expect(call.readableEnded).toBe(true);
});
