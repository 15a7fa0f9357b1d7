import { DECIDERS } from "../../application/log/aggregates.ts";
import type { CallCommand } from "../../domain/call/decider.ts";
import type { CallEvent } from "../../domain/call/events.ts";
import type { CallState } from "../../domain/call/state.ts";
import type { CampaignCommand } from "../../domain/campaign/decider.ts";
import type { CampaignEvent } from "../../domain/campaign/events.ts";
import type { CampaignState } from "../../domain/campaign/state.ts";
import type { Scenario } from "./scenario.ts";
import type { Mutants } from "./shared-world.ts";

const same = <T>(thing: T): T => thing;

export const HEALTHY: Mutants = {
  eventStore: same,
  ids: same,
  deciders: DECIDERS,
  admission: same,
  directory: same,
  telephony: same,
  carriers: same,
  optOuts: same,
  policies: same,
  eligibility: same,
  reaction: same,
  deliveryStore: same,
};

/** A realistic bug, planted into the simulated world only. */
export type PlantedBug = {
  readonly name: string;
  readonly mutants: Mutants;
  /**
   * The seed that finds it; or a scenario in which one of the crash places finds it, for bugs that
   * random seeds seldom reach.
   */
  readonly found: { readonly seed: number } | { readonly dyingIn: Scenario };
  /** What the judge reports. */
  readonly finding: RegExp;
};

type DecideCall = (command: CallCommand, state: CallState) => readonly CallEvent[];
type DecideCampaign = (command: CampaignCommand, state: CampaignState) => readonly CampaignEvent[];

/** Calls that decide otherwise. */
export const call = (decide: (real: DecideCall) => DecideCall): Mutants => ({
  ...HEALTHY,
  deciders: { ...DECIDERS, call: { ...DECIDERS.call, decide: decide(DECIDERS.call.decide) } },
});

export const campaign = (decide: (real: DecideCampaign) => DecideCampaign): Mutants => ({
  ...HEALTHY,
  deciders: { ...DECIDERS, campaign: { ...DECIDERS.campaign, decide: decide(DECIDERS.campaign.decide) } },
});

/** The engine misreads events. */
export const believing = (change: (event: CampaignEvent) => CampaignEvent): Mutants => ({
  ...HEALTHY,
  deciders: {
    ...DECIDERS,
    campaign: {
      ...DECIDERS.campaign,
      evolve: (state, event) => DECIDERS.campaign.evolve(state, change(event)),
    },
  },
});
