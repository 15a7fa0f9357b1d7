import type { CallId } from "../domain/shared/ids.ts";
import type { Instant } from "../domain/shared/instant.ts";
import { type AnalysisRunner, createAnalysisRunner } from "./call/analysis/analysis-runner.ts";
import { createCallDialing } from "./call/call-dialing.ts";
import { type EndWish, requestEnd } from "./call/call-ending.ts";
import { type ConnectionStates, connectionStates } from "./call/connection-states.ts";
import { createAssistantHealth } from "./call/health/assistant-health.ts";
import { runAssistantProbe } from "./call/health/assistant-probe.ts";
import { createCarrierHealth } from "./call/health/carrier-health.ts";
import { runCarrierProbe } from "./call/health/carrier-probe.ts";
import { createModelCheck } from "./call/health/model-check.ts";
import { ANALYSES, ANALYSIS_TYPES, createAnalysesReaction } from "./call/reactions/analyses.ts";
import { SETTLED_TYPES, settleCalls } from "./call/reactions/call-settlement.ts";
import { hearEndedCalls } from "./call/reactions/ended-calls.ts";
import { followCalls } from "./call/reactions/follow-calls.ts";
import { createOptOutEvents, type OptOutEvents } from "./call/reactions/opt-out-events.ts";
import { createOptOutReaction, OPT_OUT_TYPES, OPT_OUTS } from "./call/reactions/opt-outs.ts";
import { createCallWatchdog } from "./call/watchdog/call-watchdog.ts";
import { createSilenceWatch } from "./call/watchdog/silence-watch.ts";
import { createCampaignConversations } from "./campaign/campaign-conversation.ts";
import { runImportCleanup } from "./campaign/import-cleanup.ts";
import { createCampaignRunners } from "./campaign/runner/campaign-runners.ts";
import { createContactTexts, createImportedChunks } from "./campaign/runner/contact-texts.ts";
import type { ConversationDeps } from "./conversation/conversation-deps.ts";
import { createLostSessions, type LostSessions } from "./conversation/lost-sessions.ts";
import { openConversations, type RunningConversations } from "./conversation/open-conversations.ts";
import { createGivenUp, type GivenUp } from "./given-up.ts";
import type { Aggregates } from "./log/aggregates.ts";
import type { EventOrigin } from "./log/append-events.ts";
import { followerProgress, type ProcessorStatus } from "./log/processor-status.ts";
import type { Reaction } from "./log/reaction.ts";
import type { ModelTokensDeps } from "./model-tokens.ts";
import { createAsking } from "./policy/asking.ts";
import { policyReaction } from "./policy/policies.ts";
import type { Admission } from "./ports/admission.ts";
import type { Analyses, AnalysisTokens, StoredAnalysisSettings } from "./ports/analyses.ts";
import type { AnalysisModels } from "./ports/analysis-model.ts";
import type { AssistantCheck } from "./ports/assistant-check.ts";
import type { CampaignCommandQueue } from "./ports/campaign-commands.ts";
import type { CampaignMoments } from "./ports/campaign-moments.ts";
import type { CampaignProgressReports } from "./ports/campaign-progress.ts";
import type { Carriers } from "./ports/carriers.ts";
import type { Clock } from "./ports/clock.ts";
import type { Directory } from "./ports/directory.ts";
import type { Eligibility } from "./ports/eligibility.ts";
import type { EventCodec } from "./ports/event-codec.ts";
import type { EventStore } from "./ports/event-store.ts";
import type { Feed } from "./ports/feed.ts";
import type { Ids } from "./ports/ids.ts";
import type { Imports } from "./ports/imports.ts";
import type { Leases } from "./ports/leases.ts";
import type { Logger } from "./ports/logger.ts";
import type { OptOuts } from "./ports/opt-outs.ts";
import type { PinnedConversations } from "./ports/pinned-conversations.ts";
import type { Policies } from "./ports/policies.ts";
import type { SessionPresence } from "./ports/session-presence.ts";
import type { SuppressionLists } from "./ports/suppression-lists.ts";
import type { WebhookOutbox } from "./ports/webhook-outbox.ts";
import type { ReadFirst } from "./restore/reading-gate.ts";
import type { EngineSettings } from "./settings.ts";
import { listReaction, runListEvents } from "./suppression/list-events.ts";
import { createUseCases, type UseCases } from "./use-cases.ts";
import { createDueEnds, type DueEnds } from "./webhook/due-ends.ts";
import { createKnownCalls } from "./webhook/known-calls.ts";
import { outcomeInCampaign } from "./webhook/outcome-in-campaign.ts";
import {
  createWebhookPublishing,
  PUBLISHED_TYPES,
  type WebhookPublishing,
} from "./webhook/webhook-publishing.ts";

export type EngineDeps = {
  /** Those of this process; the carrier's events use them as well (`createCarrierEventSink`). */
  readonly aggregates: Aggregates;
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly feed: Feed;
  readonly admission: Admission;
  readonly directory: Directory;
  readonly policies: Policies;
  readonly eligibility: Pick<Eligibility, "ask">;
  readonly lists: SuppressionLists;
  readonly optOuts: OptOuts;
  readonly analyses: Analyses;
  readonly analysisSettings: StoredAnalysisSettings;
  readonly analysisTokens: AnalysisTokens;
  /** Absent: wishes wait, and no call is analysed in this process. */
  readonly analysisModels?: AnalysisModels;
  /** Failures of a store that is away for a while. */
  readonly isTransient: (error: unknown) => boolean;
  readonly pinnedConversations: PinnedConversations;
  readonly leases: Leases;
  readonly commandQueue: CampaignCommandQueue;
  readonly imports: Imports;
  /** Absent: progress is not reported. */
  readonly progress?: Pick<CampaignProgressReports, "write">;
  readonly tokensOfDay?: NonNullable<ModelTokensDeps["tokensOfDay"]>;
  readonly campaignMoments: CampaignMoments;
  readonly outbox: WebhookOutbox;
  readonly carriers: Carriers;
  /** Absent: no session arrives in this process. */
  readonly conversing?: Pick<ConversationDeps, "models" | "tools" | "metrics"> & {
    readonly presence: SessionPresence;
  };
  /** Default: probes the models. */
  readonly assistantCheck?: AssistantCheck;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: EngineSettings;
  /** Public address of this service, used for links to recordings. */
  readonly publicUrl: () => string;
};

export type Engine = {
  readonly useCases: UseCases;
  /** Takes the sessions that arrive in this process; null: conversations are not configured. */
  readonly conversations: RunningConversations | null;
  /**
   * To be run in every process before it dials. `opt-outs` lists whoever asks never to be called again,
   * `policies` brings policies into force, `suppression-lists` finds lists that are older than the log: all
   * of before its start when they have passed the head of the log.
   */
  readonly readFirst: Readonly<Record<ReadFirst, Reaction>>;
  /** To be run over the feed in workers, each with its own checkpoint. */
  readonly reactions: readonly Reaction[];
  /** All other loops, until `stop` aborts. */
  readonly run: (stop: AbortSignal) => Promise<void>;
  /** The campaign runner, which follows the feed without a checkpoint, and the loops that follow no log. */
  readonly processors: () => readonly ProcessorStatus[];
  /**
   * Since when the longest waiting contact of the campaigns run here could have been
   * called; null: none is due.
   */
  readonly oldestDueSince: () => Instant | null;
  /** Connections that are not healthy, as far as this process knows. */
  readonly connections: () => ConnectionStates;
  /** Resolves when the carrier's replies to all dials begun so far are recorded. */
  readonly allHandedOver: () => Promise<void>;
};

export type EngineOptions = {
  /** False (ROLE=api): only what users' commands need is run. */
  readonly works: boolean;
  /** Throws while `run` has to wait. Commands are then refused at once instead of waiting with it. */
  readonly requireOpen?: () => void;
  /** After its abort nobody is dialled, while everything else goes on; default: never. */
  readonly stopDialing?: AbortSignal;
  /** Why a single call is refused as CARRIER_UNAVAILABLE, whatever `requireOpen` says; null: it is not. */
  readonly dialsNobody?: () => string | null;
  /** True: this connection counts as unavailable. */
  readonly isClosed?: (connectionKey: string) => boolean;
};

/** Wires the process managers and use cases of one process; composition/service.ts provides the adapters. */
export function createEngine(deps: EngineDeps, options: EngineOptions): Engine {
  const { aggregates, clock, settings } = deps;
  const { calls, campaigns } = aggregates;
  const { longestWaitMillis } = settings;
  const carrierHealth = createCarrierHealth(options.isClosed);
  const assistantHealth = createAssistantHealth();
  const asking = createAsking(deps);
  const givenUp = createGivenUp(deps.logger);
  const dialing = createCallDialing({ ...deps, ...options, calls, carrierHealth });
  const watchdog = createCallWatchdog({
    ...deps,
    calls,
    dialing,
    givenUp,
    longestWaitMillis,
    giveUpInCampaign: async (campaignId, callId, origin) => {
      await runners.execute(campaignId, { type: "GiveUpCall", callId }, origin);
    },
  });
  const { wakeWatchdogBy } = watchdog;
  const silence = createSilenceWatch({ ...deps, wakeWatchdogBy, longestWaitMillis });
  const lostSessions = lostSessionsOf(deps);
  const following = followerProgress(clock, "call-follower");
  const assistantCheck = deps.assistantCheck ?? createModelCheck(deps.conversing?.models ?? null);
  const hearEnd = hearEndedCalls({ ...deps, assistantHealth });
  const followAll = (stop: AbortSignal) =>
    followCalls(
      deps,
      ({ event, metadata: { owner } }) => {
        if (options.works) silence.hear(event);
        if (options.works) lostSessions?.hear(event);
        hearEnd(owner, event);
      },
      following,
      stop,
    );
  const hangUp = (callId: CallId, wish: EndWish, origin: EventOrigin) =>
    requestEnd({ ...deps, calls, wakeWatchdogBy }, callId, wish, origin);
  const importedChunks = createImportedChunks(deps);
  const texts = createContactTexts(importedChunks);
  const conversations = createCampaignConversations(deps);
  const calling = {
    ...{ ...deps, carrierHealth, assistantHealth, asking, dialing, hangUp, wakeWatchdogBy },
    ...{ texts, conversations },
  };
  const runners = createCampaignRunners({ ...calling, givenUp }, options.works);
  let endWaits: DueEnds["wait"] = () => {};
  const publishing = createWebhookPublishing({
    ...deps,
    givenUp,
    knownCalls: createKnownCalls(deps),
    outcomeInCampaign: (story) => outcomeInCampaign(campaigns, story),
    onDeferred: (due) => endWaits(due),
  });
  const optOutEvents = createOptOutEvents({ ...deps, calls, givenUp, longestWaitMillis });
  const analysisRunner = analysisRunnerOf(deps, givenUp);

  const work = (stop: AbortSignal): readonly Promise<void>[] => {
    const dueEnds = createDueEnds({ ...deps, publishing, longestWaitMillis }, stop);
    endWaits = dueEnds.wait;
    return [
      watchdog.run(stop),
      silence.run(stop),
      ...[lostSessions, analysisRunner].flatMap((loop) => loop?.run(stop) ?? []),
      dueEnds.run(),
      runImportCleanup({ ...deps, campaigns, givenUp }, stop),
      runCarrierProbe({ ...deps, carrierHealth }, stop),
    ];
  };

  return {
    conversations: openConversations(deps, hangUp),
    useCases: createUseCases(
      { ...calling, runners, importedChunks },
      options.requireOpen ?? (() => undefined),
      options.dialsNobody ?? (() => null),
    ),
    readFirst: reactionsFirst(deps, optOutEvents),
    reactions: reactionsOf(deps, publishing, () => analysisRunner?.wake()),
    processors: () => [runners.status(), following.status(), ...givenUp.statuses()],
    oldestDueSince: runners.oldestDueSince,
    allHandedOver: dialing.allHandedOver,
    connections: () => connectionStates(carrierHealth, dialing),
    run: async (stop) => {
      const probe = runAssistantProbe({ ...deps, assistantHealth, assistantCheck }, stop);
      const listEvents = runListEvents({ ...deps, givenUp, longestWaitMillis }, stop);
      const always = [runners.run(stop), followAll(stop), probe, optOutEvents.run(stop), listEvents];
      await Promise.all([...always, ...(options.works ? work(stop) : [])]);
    },
  };
}

/** null: no session arrives in this process. */
function lostSessionsOf({ conversing, ...deps }: EngineDeps): LostSessions | null {
  if (conversing === undefined) return null;
  const { calls } = deps.aggregates;
  const { processId } = deps.settings;
  return createLostSessions({ ...deps, calls, presence: conversing.presence, processId });
}

/** null: there is nobody to ask. */
function analysisRunnerOf({ analysisModels, ...deps }: EngineDeps, givenUp: GivenUp): AnalysisRunner | null {
  if (analysisModels === undefined) return null;
  const { longestWaitMillis } = deps.settings;
  return createAnalysisRunner({ ...deps, ...deps.aggregates, analysisModels, givenUp, longestWaitMillis });
}

function reactionsFirst(deps: EngineDeps, { wake }: OptOutEvents): Engine["readFirst"] {
  const { calls } = deps.aggregates;
  const handle = createOptOutReaction({ ...deps, calls, onListed: wake });
  return {
    "opt-outs": { name: OPT_OUTS, types: OPT_OUT_TYPES, handle, begins: wake },
    policies: policyReaction(deps.policies),
    "suppression-lists": listReaction(deps.lists),
  };
}

function reactionsOf(
  deps: EngineDeps,
  publishing: WebhookPublishing,
  onDue: () => void,
): readonly Reaction[] {
  return [
    {
      name: ANALYSES,
      types: ANALYSIS_TYPES,
      handle: createAnalysesReaction({ ...deps, ...deps.aggregates, onDue }),
      begins: onDue,
    },
    {
      name: "call-settlement",
      types: SETTLED_TYPES,
      handle: (events) => settleCalls({ ...deps, calls: deps.aggregates.calls }, events),
    },
    { name: "webhook-publishing", types: PUBLISHED_TYPES, handle: publishing.publish },
  ];
}
