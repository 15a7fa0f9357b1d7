import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Aggregates } from "../../../application/log/aggregates.ts";
import { callStream } from "../../../application/log/stream-names.ts";
import type { ErasureStepsDeps } from "../../../application/personal-data/erasure-steps.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { createPostgresSubjectKeys } from "../../../infrastructure/account/subject-keys/postgres-subject-keys.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { createEventCodec } from "../../../infrastructure/log/codec.ts";
import { erasuresFile } from "../../../infrastructure/personal-data/erasures-file.ts";
import { postgresErasures } from "../../../infrastructure/personal-data/postgres-erasures.ts";
import { postgresRecordings } from "../../../infrastructure/recordings/postgres-recordings.ts";
import { postgresSegmentIndex } from "../../../infrastructure/recordings/postgres-segment-index.ts";
import { recordingFiles } from "../../../infrastructure/recordings/recording-files.ts";
import { secretBox } from "../../../infrastructure/secrets.ts";
import type { CrashPoints } from "../../../simulation/crash-points/crash-points.ts";
import { crashingEventStore, crashingWordStores } from "../../../simulation/crash-points/crashing-ports.ts";
import { withCrashPointsAt } from "../../../simulation/crash-points/with-crash-points.ts";
import { eventsToAppend } from "../../../simulation/memory/subject-keys.ts";
import { callEnd, callRequest } from "../../projections/example-events.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { workDatabase } from "../../support/work-database.ts";

export type ErasingWorld = Awaited<ReturnType<typeof erasingWorld>>;

type Spoken = {
  readonly callId: CallId;
  readonly owner: OwnerId;
  readonly at: Instant;
  /** null: it has not ended. */
  readonly endedAt: Instant | null;
};

/** A log in memory, keys and erasures in PostgreSQL, and the file of erased calls. */
export async function erasingWorld() {
  const database = await workDatabase();
  const folder = await mkdtemp(join(tmpdir(), "ringfold-erasing-"));
  const file = join(folder, "erasures.jsonl");
  const keys = createPostgresSubjectKeys(database.pool, secretBox(Buffer.alloc(32, 1)));
  keys.hear(database.notifications);
  const { eventStore, database: events } = memoryLog({ clock: systemClock });
  return {
    database,
    file,
    keys,
    eventStore,
    /** A process over the stores; nothing of it outlives it. */
    process(crashPoints: CrashPoints | null = null): ErasureStepsDeps & Aggregates {
      const withCrashPoints = withCrashPointsAt(crashPoints);
      const shared = memoryLog({
        clock: systemClock,
        database: events,
        codec: createEventCodec(keys),
        ids: systemIds,
        wrap: (log) => withCrashPoints(log, crashingEventStore),
      });
      const { segments, ...files } = recordingFiles(join(folder, "recordings"), systemClock);
      const stores = {
        erasures: postgresErasures({ pool: database.pool, keys }),
        journal: erasuresFile(file),
        recordings: postgresRecordings(database.pool),
        segmentIndex: postgresSegmentIndex(database.pool),
        ...{ files, segments },
      };
      return {
        ...shared,
        ...withCrashPoints(stores, crashingWordStores),
        ...shared.aggregates,
        queries: { caughtUp: async () => "all" },
      };
    },
    async callWithWords(call: Spoken): Promise<void> {
      const drawn = keys.draw(call.callId, call.owner);
      await database.pool.query(
        `insert into config.subject_keys (subject, owner_id, sealed_key, created_at)
         values ($1, $2, decode($3, 'base64'), $4)`,
        [call.callId, call.owner, drawn.sealed, call.at],
      );
      const stored = await eventsToAppend(createEventCodec(keys), call.owner, spoken(call));
      await eventStore.append(callStream(call.callId), "no_stream", stored);
    },
    async typesInLog(callId: CallId): Promise<readonly string[]> {
      return (await eventStore.read(callStream(callId))).map(({ type }) => type);
    },
    async drop(): Promise<void> {
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function spoken({ callId, owner, at, endedAt }: Spoken): readonly CallEvent[] {
  const content = "the secret";
  const message = { index: 0, role: "customer", assistantId: null, content, at, offsetMs: 1 } as const;
  return [
    callRequest({ callId, owner, campaignId: null, contactId: null, attempt: 1, at }),
    { type: "CallMessageAdded", data: { callId, at, carrierRef: "ref-1", sequence: 4, message } },
    ...(endedAt === null ? [] : [callEnd(callId, endedAt, "customer_ended", 30)]),
  ];
}
