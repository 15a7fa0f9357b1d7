import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { judgeAnalyses } from "../../application/audit/analysis-rules.ts";
import { recordedEvents } from "../../application/log/recorded-events.ts";
import { callStream } from "../../application/log/stream-names.ts";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { EventStore } from "../../application/ports/event-store.ts";
import type { CallEvent } from "../../domain/call/events.ts";
import type { OutcomeSettings } from "../../domain/outcome/settings.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { createEventCodec } from "../../infrastructure/log/codec.ts";
import { createPostgresEventStore } from "../../infrastructure/log/postgres/event-store.ts";
import { createPostgresPinnedConversations } from "../../infrastructure/pinned/postgres-pinned-conversations.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { silentLogger } from "../../simulation/memory/silent.ts";
import { eventsToAppend } from "../../simulation/memory/subject-keys.ts";
import { CONVERSATION } from "../contracts/pinned-conversations/contract.ts";
import { at, began, completed, connected, REQUEST, talking } from "../domain/call/example-call.ts";
import { migratedDatabase } from "../support/database.ts";
import type { TestDatabase } from "../support/postgres.ts";

const OUTCOME: OutcomeSettings = {
  summary: false,
  fields: [{ name: "kept", type: "boolean", description: "Whether it is kept" }],
  success: { field: "kept", in: [true] },
};
/** Longer than a claim lasts: what a dead process held is due again. */
const NEXT_START_MILLIS = 120_000;
/** As the program of this drill has them. */
const codec = createEventCodec({
  of: async (subjects) =>
    new Map(subjects.map((subject) => [subject, { kind: "open", key: Buffer.alloc(32, 7) } as const])),
});

let database: TestDatabase;
let eventStore: EventStore;
let pinned: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  database = await migratedDatabase();
  const { connectionString, pool } = database;
  eventStore = createPostgresEventStore(silentLogger, { connection: { connectionString } });
  const [speaker, ...others] = CONVERSATION.speakers;
  if (speaker === undefined) throw new Error("Nobody speaks");
  const speakers = [{ ...speaker, outcome: OUTCOME }, ...others];
  pinned = await createPostgresPinnedConversations(pool).store({ ...CONVERSATION, speakers });
});
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await eventStore.close();
  await database.drop();
});

/** A call that is over, on which the customer spoke. */
async function endedCall(): Promise<CallId> {
  const callId = systemIds.next("call");
  const message = {
    index: 1,
    role: "customer",
    assistantId: null,
    content: "Yes, I do",
    offsetMs: 10,
  } as const;
  const said: CallEvent = {
    type: "CallMessageAdded",
    data: { callId, at: at(15), message: { ...message, at: at(15) }, carrierRef: null, sequence: null },
  };
  const request: CallEvent = { type: "CallRequested", data: { ...REQUEST, pinned } };
  const events = [request, began, connected, talking, said, completed].map(
    ({ type, data }) => ({ type, data: { ...data, callId } }) as CallEvent,
  );
  await eventStore.append(callStream(callId), "no_stream", await eventsToAppend(codec, "usr_1", events));
  return callId;
}

function start(point: string, aheadMillis: number, failures = 0): ChildProcess {
  const args = [database.connectionString, point, String(aheadMillis), String(failures)];
  const child = spawn(process.execPath, ["test/support/analysis-program.ts", ...args], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

async function eventsOf(callId: CallId): Promise<readonly RecordedEvent[]> {
  return Array.fromAsync(recordedEvents({ eventStore, codec }, callStream(callId)));
}

it.each([
  "analyses.expect.after",
  "analyses.claim.after",
  "eventStore.append.CallAnalysisRequested.after",
  "analyses.wished.before",
  "analysisTokens.add.after",
  "analyses.failed.before",
  "eventStore.append.CallAnalysed.before",
  "eventStore.append.CallAnalysed.after",
  "analyses.done.before",
])("kill -9 at %s: the next process answers the wish, once", async (point) => {
  const callId = await endedCall();
  const first = start(point, 0, point.startsWith("analyses.failed") ? 1 : 0);
  const [, signal] = await once(first, "exit");
  expect(signal).toBe("SIGKILL");
  const next = start("", NEXT_START_MILLIS);
  await eventually("the answer", async () => (await eventsOf(callId)).at(-1)?.event.type === "CallAnalysed");
  await eventually("the end of its row", async () => {
    const { rows } = await database.pool.query("select 1 from work.analyses where call_id = $1", [callId]);
    return rows.length === 0;
  });
  next.kill("SIGKILL");
  await once(next, "exit");
  const events = await eventsOf(callId);
  expect(events.slice(6).map(({ event }) => event.type)).toEqual(["CallAnalysisRequested", "CallAnalysed"]);
  const broken: string[] = [];
  const hash = events.flatMap(({ event }) =>
    event.type === "CallAnalysisRequested" ? [event.data.schemaHash] : [],
  );
  judgeAnalyses(events, new Map(hash.map((each) => [each, OUTCOME])), (rule) => broken.push(rule));
  expect(broken).toEqual([]);
});
