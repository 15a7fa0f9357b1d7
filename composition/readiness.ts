import type { ApiDeps, ReadinessCheck } from "../api/deps.ts";
import type { ConnectionStates } from "../application/call/connection-states.ts";
import type { ProcessorStatus } from "../application/log/processor-status.ts";
import type { Checkpoints } from "../application/ports/checkpoints.ts";
import type { RecordingFiles, Recordings } from "../application/ports/recordings.ts";
import { diskProblem } from "../application/recordings/copy-limits.ts";
import type { DialGate } from "../application/restore/dial-gate.ts";
import type { KeyGuard } from "../infrastructure/personal-data/key-guard.ts";
import type { ReadModelStatus, ReadModels } from "../projections/read-models.ts";
import type { Stores } from "./open-stores.ts";

type Judged = {
  readonly checkpoints: Checkpoints;
  readonly recordings: Recordings;
  readonly files: Pick<RecordingFiles, "disk">;
  readonly gate: DialGate;
  readonly keys: Pick<KeyGuard, "lost">;
  readonly connections: () => ConnectionStates;
};

/** The checks of /health/ready. */
export function readinessChecks(
  stores: Stores,
  { readModels, background }: { readonly readModels: ReadModels; readonly background: ReadModels },
  processors: () => readonly ProcessorStatus[],
  judged: Judged,
): ApiDeps["readiness"] {
  return [
    answers("database", () => stores.database.pool.query("select 1")),
    answers("event log", () => stores.eventStore.ping()),
    ...dialChecks(judged),
    ...workChecks(judged),
    ...modelChecks(readModels, (state) => state === "following"),
    // Searches are 503 until they can be answered; everything else is served meanwhile.
    ...modelChecks(background, () => true),
    {
      name: "reactions",
      check: async () => ({
        ok: true,
        detail: Object.fromEntries(processors().flatMap(processorDetail)),
      }),
    },
  ];
}

function answers(name: string, ask: () => Promise<unknown>): ReadinessCheck {
  return {
    name,
    check: async () => {
      await ask();
      return { ok: true, detail: {} };
    },
  };
}

/** What can keep somebody from being dialled. */
function dialChecks({ gate, keys, connections }: Judged): ReadinessCheck[] {
  return [
    {
      name: "dialling",
      check: async () => ({
        ok: gate.state() === "open",
        detail: {
          state: gate.state(),
          waitsFor: gate.waitsFor(),
          ...(gate.closed().length === 0 ? {} : { closed: gate.closed().join(", ") }),
        },
      }),
    },
    {
      name: "restored",
      check: async () => ({ ok: gate.restored() === null, detail: { ...gate.restored()?.detail } }),
    },
    {
      name: "keys of calls",
      check: async () => ({
        ok: keys.lost()?.length === 0,
        detail: { missing: keys.lost()?.join(", ") ?? null },
      }),
    },
    {
      // An unavailable carrier stops only its own campaigns: the service is ready all the same.
      name: "carriers",
      check: async () => ({ ok: true, detail: connections() }),
    },
  ];
}

/** Work that could not be done, which does not make the service unready. */
function workChecks({ checkpoints, recordings, files }: Judged): ReadinessCheck[] {
  return [
    {
      name: "parked events",
      check: async () => ({ ok: true, detail: { count: (await checkpoints.parked()).length } }),
    },
    {
      name: "recordings",
      check: async () => ({
        ok: true,
        detail: { ...(await recordings.backlog()), disk: await diskProblem(files) },
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
