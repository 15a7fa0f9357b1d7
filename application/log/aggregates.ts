import { type CallCommand, callDecider } from "../../domain/call/decider.ts";
import type { CallEvent } from "../../domain/call/events.ts";
import type { CallState } from "../../domain/call/state.ts";
import { type CampaignCommand, campaignDecider } from "../../domain/campaign/decider.ts";
import type { CampaignEvent } from "../../domain/campaign/events.ts";
import type { CampaignState } from "../../domain/campaign/state.ts";
import { isCallEvent, isCampaignEvent, isPolicyEvent, isSquadEvent } from "../../domain/event-kinds.ts";
import { type PolicyCommand, type PolicyState, policyDecider } from "../../domain/policy/decider.ts";
import type { PolicyEvent } from "../../domain/policy/events.ts";
import type { Decider } from "../../domain/shared/decider.ts";
import type { CampaignId } from "../../domain/shared/ids.ts";
import { type SquadCommand, squadDecider } from "../../domain/squad/decider.ts";
import type { SquadEvent } from "../../domain/squad/events.ts";
import type { SquadState } from "../../domain/squad/state.ts";
import type { AppendDeps } from "./append-events.ts";
import { type CommandHandler, createCommandHandler } from "./handle-command.ts";

export type Calls = CommandHandler<CallState, CallCommand, CallEvent>;
export type Campaigns = CommandHandler<CampaignState, CampaignCommand, CampaignEvent>;
export type Squads = CommandHandler<SquadState, SquadCommand, SquadEvent>;
export type PolicyRecords = CommandHandler<PolicyState, PolicyCommand, PolicyEvent>;

/**
 * The four kinds of aggregates. There is one of each in a process, so that the commands of a
 * stream share one queue.
 */
export type Aggregates = {
  readonly calls: Calls;
  readonly campaigns: Campaigns;
  readonly squads: Squads;
  readonly policies: PolicyRecords;
};

export type Deciders = {
  readonly call: Decider<CallState, CallCommand, CallEvent>;
  readonly campaign: Decider<CampaignState, CampaignCommand, CampaignEvent>;
  readonly squad: Decider<SquadState, SquadCommand, SquadEvent>;
  readonly policy: Decider<PolicyState, PolicyCommand, PolicyEvent>;
};

export const DECIDERS: Deciders = {
  call: callDecider,
  campaign: campaignDecider,
  squad: squadDecider,
  policy: policyDecider,
};

function campaignOfCall({ campaignId }: CallState, events: readonly CallEvent[]): CampaignId | null {
  const [first] = events;
  return campaignId ?? (first?.type === "CallRequested" ? first.data.campaignId : null);
}

const KEPT_CALLS = 5_000;
const KEPT_CAMPAIGNS = 200;
/** Few: one may have 256 KiB. */
const KEPT_SQUADS = 50;
const KEPT_POLICIES = 1_000;

/** `deciders`: those of the domain, unless the simulation plants a bug. */
export function createAggregates(deps: AppendDeps, deciders: Deciders = DECIDERS): Aggregates {
  return {
    calls: createCommandHandler({
      ...deps,
      decider: deciders.call,
      isEvent: isCallEvent,
      campaignOf: campaignOfCall,
      keptStreams: KEPT_CALLS,
      isOver: ({ endedAt }) => endedAt !== null,
    }),
    campaigns: createCommandHandler({
      ...deps,
      decider: deciders.campaign,
      isEvent: isCampaignEvent,
      keptStreams: KEPT_CAMPAIGNS,
    }),
    squads: createCommandHandler({
      ...deps,
      decider: deciders.squad,
      isEvent: isSquadEvent,
      keptStreams: KEPT_SQUADS,
    }),
    policies: createCommandHandler({
      ...deps,
      decider: deciders.policy,
      isEvent: isPolicyEvent,
      keptStreams: KEPT_POLICIES,
    }),
  };
}
