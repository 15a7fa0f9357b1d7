import { join } from "node:path";
import { createOpenStreams } from "../api/open-streams.ts";
import { orderlyClose } from "../api/orderly-close.ts";
import { buildServer } from "../api/server.ts";
import type { RunningReaction } from "../application/log/reaction.ts";
import { createErasing } from "../application/personal-data/erasing.ts";
import type { ErasureStepsDeps } from "../application/personal-data/erasure-steps.ts";
import type { Configuration } from "../application/ports/configuration.ts";
import { type BeginRehearsalDeps, beginRehearsal } from "../application/rehearsal/begin-rehearsal.ts";
import type { DialGate } from "../application/restore/dial-gate.ts";
import { replaceNumbers } from "../application/suppression/replace-numbers.ts";
import { takeOff } from "../application/suppression/take-off.ts";
import { beginVerification } from "../application/verification/begin-verification.ts";
import { rangeReplay } from "../application/webhook/range-replay.ts";
import { systemClock } from "../infrastructure/clock.ts";
import type { Config } from "../infrastructure/config.ts";
import { loadDashboardFiles } from "../infrastructure/dashboard/dashboard-files.ts";
import { systemIds } from "../infrastructure/ids.ts";
import type { MetricsAdapter } from "../infrastructure/metrics.ts";
import type { KeyGuard } from "../infrastructure/personal-data/key-guard.ts";
import { createCampaignMoments } from "../projections/history/campaign-moments.ts";
import type { ComposedEngine } from "./compose-engine.ts";
import { metricsPage } from "./metrics-page.ts";
import type { Adapters } from "./open-adapters.ts";
import type { CarrierLine } from "./open-carriers.ts";
import type { openReadModels } from "./open-read-models.ts";
import type { OpenRecordings } from "./open-recordings.ts";
import { readinessChecks, readModelProcessors } from "./readiness.ts";
import type { ServiceContext } from "./service-context.ts";

/** The parts that the server asks. */
type Served = ReturnType<typeof openReadModels> & {
  readonly adapters: Adapters;
  readonly line: CarrierLine;
  readonly engine: ComposedEngine;
  readonly recordings: OpenRecordings;
  readonly erasing: ErasureStepsDeps;
  readonly reactions: readonly RunningReaction[];
  readonly gate: DialGate;
  readonly keys: KeyGuard;
  /** Of the restore guard alone: calls whose keys are missing can still be erased. */
  readonly requireOpen: DialGate["requireOpen"];
};

export type OpenServer = Awaited<ReturnType<typeof openServer>>;

/** The HTTP server over all parts; it does not listen yet. `keyed`: the first key is stored. */
export async function openServer(
  context: ServiceContext,
  parts: Served,
  measured: MetricsAdapter,
  publicUrl: () => string,
) {
  const { config, stores, logger, metrics } = context;
  const { adapters, line, engine, queries, erasing, requireOpen } = parts;
  const openStreams = createOpenStreams(systemClock);
  const dashboardFiles = loadDashboardFiles(join(import.meta.dirname, "../dashboard/dist"));
  const { promise: keyed, resolve: keyIsStored } = Promise.withResolvers<void>();
  const server = await buildServer({
    ...adapters,
    configuration: judgingKeysAfter(keyed, adapters.configuration),
    webhooks: { ...adapters.webhooks, replayRange: replayOver(context, parts, publicUrl) },
    erasing: createErasing({ ...erasing, queries, requireOpen }),
    takeOff: (caller, phoneNumber) => {
      const { optOuts, configuration } = adapters;
      const { suppressions } = configuration;
      const deps = { calls: line.aggregates.calls, optOuts, suppressions, clock: systemClock, requireOpen };
      return takeOff(deps, caller, phoneNumber);
    },
    replaceNumbers: (caller, request) =>
      replaceNumbers({ ...adapters.configuration, clock: systemClock }, caller, request),
    beginVerification: (caller, asked) =>
      beginVerification({ ...adapters, ...line, clock: systemClock }, caller, asked),
    beginRehearsal: (caller, asked) => beginRehearsal(rehearsed(context, parts), caller, asked),
    useCases: engine.useCases,
    queries,
    connectionKind: async (owner, id) =>
      (await adapters.configuration.connections.get(owner, id))?.kind ?? null,
    eventStore: stores.eventStore,
    clock: systemClock,
    ids: systemIds,
    logger,
    metrics,
    ...reports(context, parts, measured),
    recording: parts.recordings.hear,
    carrierCallbacks: line.callbacks,
    phones: line.phones,
    connectionChecks: line.connectionChecks,
    dashboard: config.dashboard
      ? { files: dashboardFiles, overHttps: config.publicUrl?.startsWith("https:") === true }
      : null,
    entrances: line.entrances,
    requestEntrances: line.requestEntrances,
    openStreams,
    settings: settingsOf(config),
  });
  return {
    server: {
      listen: (at: { readonly host: string; readonly port: number }) => server.listen(at),
      close: orderlyClose(server, openStreams),
    },
    keyed: keyIsStored,
    dashboardBuilt: dashboardFiles.reload,
  };
}

function rehearsed({ stores }: ServiceContext, { adapters, line }: Served): BeginRehearsalDeps {
  return {
    ...{ ...stores, ...adapters, ...line },
    snapshots: adapters.configuration.lineSnapshots,
    clock: systemClock,
    ids: systemIds,
  };
}

function settingsOf(config: Config) {
  const { rateLimit, trustedProxies, publicUrl } = config;
  return { rateLimit, trustedProxies, publicUrl, dashboard: config.dashboard ? { publicUrl } : null };
}

/** How the service does: /metrics and /health/ready. */
function reports({ stores }: ServiceContext, parts: Served, measured: MetricsAdapter) {
  const { adapters, engine, reactions, readModels, background, gate, keys } = parts;
  const processors = () => [...engine.processors(), ...reactions.map(({ status }) => status())];
  return {
    metricsText: metricsPage(measured, stores, engine, () => [
      ...readModelProcessors(readModels),
      ...readModelProcessors(background),
      ...processors(),
    ]),
    readiness: readinessChecks(stores, { readModels, background }, processors, {
      ...adapters,
      gate,
      keys,
      connections: engine.connections,
    }),
  };
}

function replayOver({ stores }: ServiceContext, { adapters, queries }: Served, publicUrl: () => string) {
  return rangeReplay({
    ...stores,
    ...adapters,
    queries,
    campaignMoments: createCampaignMoments(stores),
    clock: systemClock,
    ids: systemIds,
    publicUrl,
  });
}

/**
 * Requests that come before the first key is stored wait for it; otherwise BOOTSTRAP_API_KEY
 * would be answered 401.
 */
function judgingKeysAfter(keyed: Promise<void>, configuration: Configuration): Configuration {
  const { apiKeys } = configuration;
  const verify: typeof apiKeys.verify = async (key) => {
    await keyed;
    return apiKeys.verify(key);
  };
  return { ...configuration, apiKeys: { ...apiKeys, verify } };
}
