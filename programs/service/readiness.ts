import type { ApiDeps, ReadinessCheck } from "../../api/deps.ts";
import type { ProcessorStatus } from "../../application/log/processor-status.ts";
import type { Checkpoints } from "../../application/ports/checkpoints.ts";
import type { DialGate } from "../../infrastructure/restore/dial-gate.ts";
import type { ReadModelStatus, ReadModels } from "../../projections/read-models.ts";
import type { Stores } from "../open-stores.ts";

/** What /health/ready asks. */
export function readinessChecks(
  stores: Stores,
  { readModels, aside }: { readonly readModels: ReadModels; readonly aside: ReadModels },
  processors: () => readonly ProcessorStatus[],
  checkpoints: Checkpoints,
  gate: DialGate,
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
      name: "parked events",
      check: async () => ({ ok: true, detail: { count: (await checkpoints.parked()).length } }),
    },
    ...modelChecks(readModels, (state) => state === "following"),
    // Searches are 503 until they can be answered; everything else is served meanwhile.
    ...modelChecks(aside, () => true),
    {
      name: "reactions",
      check: async () => ({
        ok: true,
        detail: Object.fromEntries(processors().flatMap(processorDetail)),
      }),
    },
  ];
}

function modelChecks(
  models: ReadModels,
  isFit: (state: ReadModelStatus["state"] | undefined) => boolean,
): ReadinessCheck[] {
  return models.status().map(({ model }) => ({
    name: `read model ${model}`,
    check: async () => {
      const status = models.status().find((each) => each.model === model);
      return { ok: isFit(status?.state), detail: { ...status } };
    },
  }));
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
