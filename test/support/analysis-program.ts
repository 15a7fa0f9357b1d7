import process from "node:process";
import pg from "pg";
import { createAnalysisRunner } from "../../application/call/analysis/analysis-runner.ts";
import {
  ANALYSES,
  ANALYSIS_TYPES,
  createAnalysesReaction,
} from "../../application/call/reactions/analyses.ts";
import { createGivenUp } from "../../application/given-up.ts";
import { createAggregates } from "../../application/log/aggregates.ts";
import { createFeed } from "../../application/log/feed.ts";
import { runReaction } from "../../application/log/reaction.ts";
import type { AnalysisModels } from "../../application/ports/analysis-model.ts";
import type { Clock } from "../../application/ports/clock.ts";
import { ModelFailure } from "../../application/ports/language-model.ts";
import type { SubjectKeys } from "../../application/ports/subject-keys.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import { createPostgresAnalyses } from "../../infrastructure/analyses/postgres-analyses.ts";
import {
  createPostgresAnalysisSettings,
  createPostgresAnalysisTokens,
} from "../../infrastructure/analyses/postgres-analysis-settings.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { createEventCodec } from "../../infrastructure/log/codec.ts";
import { createPostgresEventStore } from "../../infrastructure/log/postgres/event-store.ts";
import { createPostgresPinnedConversations } from "../../infrastructure/pinned/postgres-pinned-conversations.ts";
import { createPostgresCheckpoints } from "../../infrastructure/postgres/checkpoints.ts";
import { isRetryableDatabaseError } from "../../infrastructure/postgres/database-error.ts";
import { crashPointsOf } from "../../simulation/crash-points/crash-points.ts";
import {
  crashingAnalyses,
  crashingAnalysisTokens,
  crashingEventStore,
} from "../../simulation/crash-points/crashing-ports.ts";
import { withCrashPointsAt } from "../../simulation/crash-points/with-crash-points.ts";
import { silentLogger, silentMetrics } from "../../simulation/memory/silent.ts";

/**
 * A process that only analyses calls, to be killed. Arguments: the database, the point at which it kills
 * itself ("": none), how far its clock is ahead (milliseconds), and how many of its first tries fail.
 */
const [connectionString = "", point = "", ahead = "0", failures = "0"] = process.argv.slice(2);

const clock: Clock = {
  ...systemClock,
  now: () => instantFromMillis(Date.now() + Number(ahead)),
  nowMillis: () => Date.now() + Number(ahead),
};
/** All of them are the same one. */
const keys: SubjectKeys = {
  of: async (subjects) =>
    new Map(subjects.map((subject) => [subject, { kind: "open", key: Buffer.alloc(32, 7) } as const])),
};
let failing = Number(failures);
const analysisModels: AnalysisModels = {
  ask: async () => {
    failing -= 1;
    if (failing >= 0) throw new ModelFailure("unavailable", "The server is away");
    const answer = { fields: { kept: { value: true, messages: [1] } } };
    return { answer, model: { name: "gpt", inputTokens: 10, outputTokens: 1 } };
  },
};

const withCrashPoints = withCrashPointsAt(crashPointsOf(point === "" ? null : point));
const pool = new pg.Pool({ connectionString, max: 5 });
const shared = {
  eventStore: withCrashPoints(
    createPostgresEventStore(silentLogger, { connection: { connectionString } }),
    crashingEventStore,
  ),
  codec: createEventCodec(keys),
  ids: systemIds,
  clock,
  logger: silentLogger,
  pinnedConversations: createPostgresPinnedConversations(pool),
  analyses: withCrashPoints(createPostgresAnalyses(pool), crashingAnalyses),
  isTransient: isRetryableDatabaseError,
};
const asking = {
  ...shared,
  ...createAggregates(shared),
  analysisModels,
  analysisSettings: createPostgresAnalysisSettings(pool),
  analysisTokens: withCrashPoints(createPostgresAnalysisTokens(pool), crashingAnalysisTokens),
  directory: { owner: async () => null },
};
const runner = createAnalysisRunner({
  ...asking,
  givenUp: createGivenUp(silentLogger),
  longestWaitMillis: 1_000,
});
const { signal } = new AbortController();
void runner.run(signal);
const handle = createAnalysesReaction({ ...asking, onDue: runner.wake });
const feed = createFeed({ ...shared, metrics: silentMetrics, parkDamaged: async () => undefined });
const checkpoints = createPostgresCheckpoints(pool);
runReaction({ ...shared, feed, checkpoints }, { name: ANALYSES, types: ANALYSIS_TYPES, handle }, signal);
