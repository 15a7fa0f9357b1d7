import type { EventStoreDBClient } from "@eventstore/db-client";
import type { AppendSpec } from "./observed-scenarios.ts";

/**
 * What every step needs: streams are made unique per run, small ids become UUIDs that are
 * unique per scenario.
 */
export type ScenarioWorld = {
  readonly client: EventStoreDBClient;
  readonly prefix: string;
  readonly timeScale: number;
  append(spec: AppendSpec, ids?: readonly string[]): Promise<{ nextExpectedRevision: bigint }>;
};
