import { createEngine, type Engine, type EngineDeps, type EngineOptions } from "../application/engine.ts";
import {
  type Reaction,
  type ReactionDeps,
  type RunningReaction,
  runReaction,
} from "../application/log/reaction.ts";
import type { ReadFirst } from "../application/restore/reading-gate.ts";
import { createCampaignMoments } from "../projections/history/campaign-moments.ts";

/** The adapters of a process: databases and carriers of the service, or those of the simulation. */
export type EngineAdapters = Omit<EngineDeps, "campaignMoments"> & ReactionDeps;

export type ComposedEngine = Engine & {
  /**
   * Runs reactions over the feed, each with its own checkpoint, until `stop` aborts; by default
   * those of the engine.
   */
  readonly react: (stop: AbortSignal, reactions?: readonly Reaction[]) => readonly RunningReaction[];
  /** Runs one of `readFirst`, the same way. */
  readonly reactFirst: (name: ReadFirst, stop: AbortSignal) => RunningReaction;
};

/** The engine of one process over its adapters. Service, simulation and tests all use this one. */
export function composeEngine(adapters: EngineAdapters, options: EngineOptions): ComposedEngine {
  const engine = createEngine({ ...adapters, campaignMoments: createCampaignMoments(adapters) }, options);
  return {
    ...engine,
    react: (stop, reactions = engine.reactions) =>
      reactions.map((reaction) => runReaction(adapters, reaction, stop)),
    reactFirst: (name, stop) => runReaction(adapters, engine.readFirst[name], stop),
  };
}
