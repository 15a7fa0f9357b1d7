import { callStream } from "../../../application/log/stream-names.ts";
import type { ErasureStepsDeps } from "../../../application/personal-data/erasure-steps.ts";
import {
  type Erased,
  type Erasure,
  isErasedCall,
  type RunningErasure,
} from "../../../application/ports/erasures.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import type { CallId, CampaignId, ErasureId, OwnerId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { callEnd, callRequest, connected } from "../../projections/example-events.ts";
import { memoryLog } from "../../support/memory-log.ts";

export type MemoryErasing = ReturnType<typeof memoryErasing>;

type Told = {
  readonly callId: CallId;
  readonly owner?: OwnerId;
  readonly at?: Instant;
  /** null: it has not ended. */
  readonly endedAt?: Instant | null;
  readonly recorded?: boolean;
};

export const AT: Instant = "2026-08-01T10:00:00.000Z";

/** Erasing over virtual time with every store in memory. `done` notes what was done, in order. */
export function memoryErasing() {
  const log = memoryLog();
  const rows = new Map<ErasureId, { erasure: Erasure; callIds: readonly CallId[] }>();
  const erasedKeys = new Set<CallId | CampaignId>();
  const lines: (Erased & { readonly at: Instant })[] = [];
  const done: string[] = [];
  const note = (what: string, ids: readonly string[]) => done.push(`${what} ${ids.join(" ")}`);
  const idOf = (erased: Erased) => (isErasedCall(erased) ? erased.callId : erased.campaignId);
  const running = (): readonly RunningErasure[] =>
    [...rows.values()]
      .filter(({ erasure }) => erasure.status === "running")
      .map(({ erasure: { id, owner, kind }, callIds }) => ({ id, owner, kind, callIds }));
  const deps: ErasureStepsDeps = {
    calls: log.aggregates.calls,
    clock: log.clock,
    logger: log.logger,
    eventStore: log.eventStore,
    erasures: {
      begin: async (given, callIds) => {
        const made = { status: "running", calls: callIds.length, deliveries: 0, completedAt: null } as const;
        if (!rows.has(given.id)) rows.set(given.id, { erasure: { ...given, ...made }, callIds });
        note("begin", callIds);
      },
      running: async () => running(),
      find: async (owner, id) => {
        const row = rows.get(id);
        return row?.erasure.owner === owner ? row.erasure : null;
      },
      list: async (owner) => ({
        rows: [...rows.values()].map(({ erasure }) => erasure).filter((one) => one.owner === owner),
        next: null,
      }),
      eraseKeys: async (erased) => {
        for (const one of erased) erasedKeys.add(idOf(one));
        note("keys", erased.map(idOf));
      },
      notErased: async (ids) => new Set(ids.filter((id) => !erasedKeys.has(id))),
      clearCampaigns: async (campaigns) => void note("clear", campaigns.map(idOf)),
      clear: async (callIds) => {
        note("clear", callIds);
        return true;
      },
      finish: async ({ id, callIds }, at) => {
        const row = rows.get(id);
        if (row !== undefined)
          rows.set(id, { ...row, erasure: { ...row.erasure, status: "done", completedAt: at } });
        note("finish", callIds);
      },
    },
    journal: {
      add: async (erased, at) => {
        lines.push(...erased.map((one) => ({ ...one, at })));
        note("lines", erased.map(idOf));
      },
      read: async function* () {
        for (let from = 0; from < lines.length; from += 2)
          yield lines.slice(from, from + 2).map(({ at: _at, ...erased }) => erased);
      },
    },
    recordings: {
      erase: async (callIds) => {
        note("recordings", callIds);
        return callIds.map((callId) => ({ callId, place: null }));
      },
    },
    files: {
      remove: async (recordings) =>
        void note(
          "files",
          recordings.map(({ callId }) => callId),
        ),
    },
    queries: { caughtUp: async () => "all" },
  };
  return {
    deps,
    log,
    done,
    lines,
    erasedKeys,
    running,
    /** A call that was answered. */
    call: async ({ callId, owner = "usr_1", at = AT, endedAt = at, recorded = false }: Told) => {
      const recording = {
        callId,
        at,
        status: "available",
        recordingRef: "rec-1",
        carrierRef: "r",
        sequence: 9,
      } as const;
      const events: readonly CallEvent[] = [
        callRequest({ callId, owner, campaignId: null, contactId: null, attempt: 1, at }),
        connected(callId, at, "r"),
        ...(endedAt === null ? [] : [callEnd(callId, endedAt, "customer_ended", 30)]),
        ...(recorded ? [{ type: "CallRecordingAvailable", data: recording } as const] : []),
      ];
      await log.storeFor(owner, callStream(callId), ...events);
    },
    /** Who erased the words of a call, as its stream tells it. */
    erasedBy: async (callId: CallId) =>
      (await log.recorded(callStream(callId))).flatMap(
        ({ event, metadata: { actor, correlationId, owner } }) =>
          event.type === "CallContentErased"
            ? [{ erasureId: event.data.erasureId, actor, correlationId, owner }]
            : [],
      ),
  };
}

/** Everything that can run without the clock has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) await new Promise((go) => setImmediate(go));
}
