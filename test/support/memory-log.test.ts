import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { began, connected, FAR_SIDE, REQUEST, requested } from "../domain/call/example-call.ts";
import { memoryLog } from "./memory-log.ts";

const STREAM = `call-${REQUEST.callId}`;
const ORIGIN = { owner: REQUEST.owner, actor: "key_1", correlationId: "r", causationId: null };

it("puts events behind those of the stream, and reads them back with their words", async () => {
  const log = memoryLog();
  await log.store(STREAM, requested, began);
  expect((await log.store(STREAM, connected)).revision).toBe(2);
  expect(log.types(STREAM)).toEqual(["CallRequested", "CallDialingBegan", "CallConnected"]);
  expect((await log.recorded(STREAM)).map(({ event }) => event)).toEqual([requested, began, connected]);
});

it("notes what its own process reads and appends, not what another one stores", async () => {
  const log = memoryLog();
  await log.store(STREAM, requested);
  const dial = { type: "BeginDialing", now: log.clock.now(), suppressed: false, carrier: FAR_SIDE } as const;
  await log.aggregates.calls.handle(STREAM, [dial], ORIGIN);
  expect([log.reads, log.readsFrom, log.appends]).toEqual([[STREAM], [0], [1]]);
});

it("is what every test without a database has for a log", () => {
  const making = globSync("test/**/*.ts").filter((file) =>
    /createMemoryEventStore\(/.test(readFileSync(file, "utf8")),
  );
  expect(making.toSorted()).toEqual([
    // That of a run, as the service opens it.
    "test/application/rehearsal/rehearsed-run.ts",
    "test/infrastructure/log/memory/event-store.test.ts",
    "test/support/memory-log.ts",
  ]);
});
