import { systemClock } from "../infrastructure/clock.ts";
import { kyselyOn } from "../infrastructure/postgres/pool.ts";
import type { ReadSchema } from "../projections/engine/read-schema.ts";
import { rememberedNames } from "../projections/history/actor-names.ts";
import { createQueries } from "../projections/queries.ts";
import { BACKGROUND_MODELS, createReadModels, readModelsFor } from "../projections/read-models.ts";
import type { Adapters } from "./open-adapters.ts";
import type { ServiceContext } from "./service-context.ts";

/** The projectors that follow the log and write rows, and the queries over them. */
export function openReadModels(
  { config, stores, logger, metrics, withCrashPoints }: ServiceContext,
  { feed, turns, configuration }: Adapters,
  publicUrl: () => string,
) {
  const deps = {
    db: withCrashPoints(
      stores.readDb,
      ({ crashingCommits }) =>
        (_, around) =>
          kyselyOn<ReadSchema>(stores.database.pool, (prepared) => crashingCommits(prepared, around)),
    ),
    eventStore: stores.eventStore,
    codec: stores.codec,
    feed,
    turns,
    clock: systemClock,
    logger,
    metrics,
  };
  const readModels = createReadModels(deps, readModelsFor(config.eventStoreUrl, stores.eventStore));
  // Separate, because no write waits for them, and the others serve while they are built.
  const background = createReadModels(deps, BACKGROUND_MODELS);
  const queries = createQueries({
    ...deps,
    actorNames: rememberedNames(configuration.names.apiKeys),
    positions: readModels.positions,
    backgroundPositions: background.positions,
    publicUrl,
    ownerEventsIndexed: config.eventStoreUrl !== null,
  });
  return { readModels, background, queries };
}
