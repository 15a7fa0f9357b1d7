import type { ApiDeps, ReadinessCheck } from "../../api/deps.ts";
import type { ConnectionStates } from "../../application/call/connection-states.ts";
import type { ProcessorStatus } from "../../application/log/processor-status.ts";
import type { Checkpoints } from "../../application/ports/checkpoints.ts";
import type { DialGate } from "../../infrastructure/restore/dial-gate.ts";
import type { ReadModels } from "../../projections/read-models.ts";
import type { Stores } from "../open-stores.ts";

/** What /health/ready asks. */
export function readinessChecks(
  stores: Stores,
  readModels: ReadModels,
  processors: () => readonly ProcessorStatus[],
  checkpoints: Checkpoints,
  gate: DialGate,
  connections: () => ConnectionStates,
): ApiDeps["readiness"] {
  const answers = (name: string, ask: () => Promise<unknown>): ReadinessCheck => ({
    name,
    check: async () => {
      await ask();
      return { ok: true, detail: {} };
    },
  });
  return [
    answers("database", () => stores.database.pool.query("select 1")),
    answers("event log", () => stores.eventStore.ping()),
    {
      name: "dialling",
      check: async () => ({
        ok: gate.state() === "open",
        detail: { state: gate.state(), waitsFor: gate.waitsFor() },
      }),
    },
    {
      name: "restored",
      check: async () => ({ ok: gate.restored() === null, detail: { ...gate.restored()?.detail } }),
    },
    {
      // A carrier that is away holds up its own campaigns alone: the service is ready all the same.
      name: "carriers",
      check: async () => ({ ok: true, detail: connections() }),
    },
    {
      name: "parked events",
      check: async () => ({ ok: true, detail: { count: (await checkpoints.parked()).length } }),
    },
    ...readModels.status().map(
      ({ model }): ReadinessCheck => ({
        name: `read model ${model}`,
        check: async () => {
          const status = readModels.status().find((each) => each.model === model);
          return { ok: status?.state === "following", detail: { ...status } };
        },
      }),
    ),
    {
      name: "reactions",
      check: async () => ({
        ok: true,
        detail: Object.fromEntries(processors().flatMap(processorDetail)),
      }),
    },
  ];
}

export function readModelProcessors(readModels: ReadModels): ProcessorStatus[] {
  return readModels.status().map(({ model: name, ...status }) => ({ name, ...status }));
}

function processorDetail({
  name,
  position,
  lagMillis,
  lastMovedAt,
  parked,
}: ProcessorStatus): [string, string | number | null][] {
  return [
    [`${name} position`, position],
    [`${name} lagMillis`, lagMillis],
    [`${name} lastMovedAt`, lastMovedAt],
    [`${name} parked`, parked],
  ];
}
