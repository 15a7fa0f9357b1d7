import type { Pool } from "pg";
import { analysisModels } from "../application/call/analysis/analysis-models.ts";
import { createDamagedEvents, type DamagedEventsDeps } from "../application/call/reactions/damaged-events.ts";
import { createFeed } from "../application/log/feed.ts";
import { isEventStoreFailure } from "../application/ports/event-store.ts";
import type { Feed } from "../application/ports/feed.ts";
import type { LanguageModel } from "../application/ports/language-model.ts";
import type { Logger } from "../application/ports/logger.ts";
import type { Notifications } from "../application/ports/notifications.ts";
import type { ProcessorTurns } from "../application/ports/processor-turns.ts";
import type { SessionPresence } from "../application/ports/session-presence.ts";
import { deliveryLoop } from "../application/webhook/delivery/delivery-loop.ts";
import { creditsToUnits } from "../domain/shared/credits.ts";
import type { OwnerId } from "../domain/shared/ids.ts";
import { createPostgresPastDials } from "../infrastructure/account/admission/past-dials.ts";
import { createPostgresAdmission } from "../infrastructure/account/admission/postgres-admission.ts";
import { createPostgresConfiguration } from "../infrastructure/account/configuration/configuration.ts";
import { createPostgresDirectory } from "../infrastructure/account/directory.ts";
import { createPostgresIdempotency } from "../infrastructure/account/idempotency.ts";
import { createOwnerChanges } from "../infrastructure/account/owner-changes.ts";
import { createPostgresPolicies } from "../infrastructure/account/policies.ts";
import { createPostgresSuppressionLists } from "../infrastructure/account/suppression-lists.ts";
import { createPostgresAnalyses } from "../infrastructure/analyses/postgres-analyses.ts";
import {
  createPostgresAnalysisSettings,
  createPostgresAnalysisTokens,
} from "../infrastructure/analyses/postgres-analysis-settings.ts";
import { systemClock } from "../infrastructure/clock.ts";
import { openEgress } from "../infrastructure/connections/egress.ts";
import { mannersBook } from "../infrastructure/connections/server-manners.ts";
import { addressPolicy } from "../infrastructure/http/address-guard.ts";
import { guardedHttpClient } from "../infrastructure/http/guarded-http-client.ts";
import { resolveName } from "../infrastructure/http/resolve-name.ts";
import { systemIds } from "../infrastructure/ids.ts";
import { openModels } from "../infrastructure/models/open-models.ts";
import { erasuresFile } from "../infrastructure/personal-data/erasures-file.ts";
import { postgresErasures } from "../infrastructure/personal-data/postgres-erasures.ts";
import { postgresRetention } from "../infrastructure/personal-data/postgres-retention.ts";
import { createPostgresPinnedConversations } from "../infrastructure/pinned/postgres-pinned-conversations.ts";
import { createPostgresCampaignCommandQueue } from "../infrastructure/postgres/campaign-command-queue.ts";
import { createPostgresCampaignProgress } from "../infrastructure/postgres/campaign-progress.ts";
import { createPostgresCheckpoints } from "../infrastructure/postgres/checkpoints.ts";
import { isRetryableDatabaseError } from "../infrastructure/postgres/database-error.ts";
import { createPostgresImports } from "../infrastructure/postgres/imports.ts";
import { createPostgresLeases } from "../infrastructure/postgres/leases.ts";
import { createNotifications } from "../infrastructure/postgres/notifications.ts";
import { kyselyOn } from "../infrastructure/postgres/pool.ts";
import { createPostgresProcessorTurns } from "../infrastructure/postgres/processor-turns.ts";
import { createPostgresSessionPresence } from "../infrastructure/postgres/session-presence.ts";
import { postgresRecordings } from "../infrastructure/recordings/postgres-recordings.ts";
import { postgresSegmentIndex } from "../infrastructure/recordings/postgres-segment-index.ts";
import { recordingFiles } from "../infrastructure/recordings/recording-files.ts";
import { postgresRehearsals } from "../infrastructure/rehearsal/postgres-rehearsals.ts";
import { checkSecretsKey } from "../infrastructure/secrets.ts";
import { postgresVerifications } from "../infrastructure/verification/postgres-verifications.ts";
import { type VerifiedLog, verifierThread } from "../infrastructure/verification/verifier-thread.ts";
import { attemptSender } from "../infrastructure/webhook/delivery/attempt.ts";
import { postgresDeliveryStore } from "../infrastructure/webhook/delivery/postgres-delivery-store.ts";
import { ELIGIBILITY_LIMITS, httpEligibility } from "../infrastructure/webhook/http-eligibility.ts";
import { postgresOutbox } from "../infrastructure/webhook/outbox/postgres-outbox.ts";
import { postgresWebhookSettings } from "../infrastructure/webhook/settings/postgres-webhook-settings.ts";
import { shownWords } from "../projections/calls/shown-words.ts";
import { tokensOfDay } from "../projections/calls/usage.ts";
import { shownContacts } from "../projections/shown-contacts.ts";
import type { Stores } from "./open-stores.ts";
import { openTools } from "./open-tools.ts";
import { processName } from "./process-name.ts";
import type { Closing, ServiceContext } from "./service-context.ts";

export type Adapters = Awaited<ReturnType<typeof openAdapters>>;

/** All adapters of the schemas work and config, and the HTTP client of webhooks. */
export async function openAdapters(context: ServiceContext) {
  const { config, stores, logger, withCrashPoints, closing } = context;
  const { database, box, keys } = stores;
  const { pool } = database;
  await checkSecretsKey(pool, box);
  const notifications = createNotifications(pool, logger);
  closing.push(notifications.close);
  await notifications.start();
  closing.push(keys.hear(notifications));
  const webhooks = openWebhooks(context);
  const account = openAccount(context, notifications, (owners) => webhooks.deliveries.wake(owners));
  const { configuration, egress } = account;
  const tools = openTools(context, { ...configuration, box, policy: egress.policy });
  const manners = mannersBook();
  const models = openModels({ ...configuration, egress, manners, scripted: scriptedModel });
  const damage = {
    checkpoints: createPostgresCheckpoints(pool),
    pinnedConversations: createPostgresPinnedConversations(pool),
    optOuts: account.optOuts,
  };
  const adapters = {
    notifications,
    ...account,
    tools,
    manners,
    models,
    analysisModels: analysisModels(models),
    ...damage,
    feed: openFeed(context, damage),
    toolTester: tools,
    ...webhooks,
    turns: openTurns(database, logger, closing),
    presence: openPresence(pool, processName(config), logger, closing),
    analyses: createPostgresAnalyses(pool),
    analysisSettings: createPostgresAnalysisSettings(pool),
    analysisTokens: createPostgresAnalysisTokens(pool),
    tokensOfDay: (owner: OwnerId, day: string) => tokensOfDay(stores.readDb, owner, day),
    leases: createPostgresLeases(pool),
    commandQueue: createPostgresCampaignCommandQueue(pool, notifications),
    imports: createPostgresImports(pool, keys),
    progress: createPostgresCampaignProgress(pool),
    erasures: postgresErasures({ pool, keys }),
    verifications: postgresVerifications(pool),
    rehearsals: postgresRehearsals(pool, keys),
    verifier: verifierThread(verifiedLog(context)),
    shownWords: { ...shownWords(stores.readDb), ...shownContacts(stores.readDb) },
    retention: postgresRetention(pool),
    recordings: postgresRecordings(pool),
    segmentIndex: postgresSegmentIndex(pool),
    ...openRecordingFiles(config.recordingsDir),
    keys,
    journal: erasuresFile(config.erasuresFile),
  };
  const ofOwners = withCrashPoints(adapters, (ports) => ports.crashingAccountStores);
  return withCrashPoints(
    withCrashPoints(ofOwners, (ports) => ports.crashingEngineStores),
    (ports) => ports.crashingWordStores,
  );
}

function verifiedLog({ config, stores }: ServiceContext): VerifiedLog {
  const { eventStoreUrl: url, eventStorePrefix: prefix } = config;
  return url === null
    ? { kind: "postgres", connection: stores.database.connection }
    : { kind: "eventstoredb", url, prefix };
}

function openRecordingFiles(directory: string) {
  const { segments, ...files } = recordingFiles(directory, systemClock);
  return { segments, files };
}

/** What belongs to owners: their configuration, credits and slots. */
function openAccount(
  { config, stores, logger, metrics, closing }: ServiceContext,
  notifications: Notifications,
  onQueued: (owners: readonly OwnerId[]) => void,
) {
  const { database, box, keys } = stores;
  const { pool } = database;
  const changes = createOwnerChanges(notifications);
  const processId = processName(config);
  const admission = createPostgresAdmission({ pool, notifications, logger, keys, metrics, processId });
  closing.push(admission.stop);
  const egress = openEgress(config.connectionAllowCidrs);
  closing.push(egress.close);
  const configuration = createPostgresConfiguration({
    db: kyselyOn(pool),
    changes,
    clock: systemClock,
    ids: systemIds,
    secretBox: box,
    egress: egress,
    installation: { model: config.llm, carriers: config.carriers },
    onQueued,
    defaults: { plan: config.plan, credits: creditsToUnits(config.initialCredits) },
  });
  closing.push(configuration.stop);
  const policies = createPostgresPolicies(pool, notifications, logger);
  closing.push(policies.stop);
  return {
    admission,
    pastDials: createPostgresPastDials(pool),
    configuration,
    changes,
    egress,
    optOuts: configuration.optOuts,
    directory: createPostgresDirectory(pool, changes),
    policies,
    lists: createPostgresSuppressionLists(kyselyOn(pool), changes),
    idempotency: createPostgresIdempotency(pool, logger),
  };
}

export function isTransient(error: unknown): boolean {
  return isRetryableDatabaseError(error) || isEventStoreFailure(error, "unavailable");
}

function openFeed(
  { stores, logger, metrics }: ServiceContext,
  damage: Pick<DamagedEventsDeps, "checkpoints" | "optOuts" | "pinnedConversations">,
): Feed {
  const { eventStore, codec } = stores;
  return createFeed({
    eventStore,
    codec,
    clock: systemClock,
    logger,
    metrics,
    parkDamaged: createDamagedEvents({ ...damage, eventStore, codec, logger, isTransient }),
  });
}

/** The settings of webhooks, their outbox, and the loop that delivers what is in it. */
function openWebhooks({ config, stores, logger, metrics, withCrashPoints, closing }: ServiceContext) {
  const { database, box } = stores;
  const shared = { pool: database.pool, clock: systemClock, ids: systemIds };
  const policy = addressPolicy(config.webhookAllowCidrs);
  const client = guardedHttpClient({ policy, resolve: resolveName, ca: undefined });
  const sendAttempt = attemptSender(client);
  const deliveries = deliveryLoop({
    store: withCrashPoints(postgresDeliveryStore(database.pool, box), (ports) => ports.crashingDeliveryStore),
    sendAttempt: withCrashPoints(sendAttempt, (ports) => ports.crashingSender),
    clock: systemClock,
    random: Math.random,
    logger,
    metrics,
    worker: `webhooks:${processName(config)}`,
  });
  const asking = guardedHttpClient({ policy, resolve: resolveName, ca: undefined }, ELIGIBILITY_LIMITS);
  closing.push(async () => {
    await deliveries.stop();
    client.close();
    asking.close();
  });
  return {
    deliveries,
    eligibility: httpEligibility({ ...shared, box, client: asking, policy, resolve: resolveName }),
    outbox: postgresOutbox({
      ...shared,
      onQueued: (owners: readonly OwnerId[]) => deliveries.wake(owners),
    }),
    webhooks: postgresWebhookSettings({
      ...shared,
      box,
      sendAttempt,
      policy,
      resolve: resolveName,
      onChange: (owners) => deliveries.refresh(owners),
    }),
  };
}

/** Loaded when an assistant without a real model speaks. */
async function scriptedModel(seed: string): Promise<LanguageModel> {
  return (await import("../simulation/model/scripted-model.ts")).scriptedModel(seed);
}

function openPresence(pool: Pool, process: string, logger: Logger, closing: Closing): SessionPresence {
  const presence = createPostgresSessionPresence(pool, process, logger);
  closing.push(presence.stop);
  return presence;
}

/**
 * Also when no other process can have a turn: turns end with their connection, and after a crash of the
 * database every processor must start again from its stored checkpoint, because its last commits may be lost.
 */
function openTurns({ connection }: Stores["database"], logger: Logger, closing: Closing): ProcessorTurns {
  const turns = createPostgresProcessorTurns({ connection, clock: systemClock, logger });
  closing.push(turns.close);
  return turns;
}
