import { createCampaignRunners } from "../../../../application/campaign/runner/campaign-runners.ts";
import { type QueuedCommand, writeCommand } from "../../../../application/campaign/runner/queued-command.ts";
import type { RunnerDeps } from "../../../../application/campaign/runner/runner-deps.ts";
import { EventStoreError } from "../../../../application/ports/event-store.ts";
import type { CampaignEvent } from "../../../../domain/campaign/events.ts";
import type { CampaignId } from "../../../../domain/shared/ids.ts";
import { at, contact, created } from "../../../domain/campaign/example-campaign.ts";
import { CALLER, OWNER, openEvents, pass, until } from "../../engine-world.ts";
import { runnerParts } from "./runner-parts.ts";
import { STREAM } from "./runner-world.ts";

export const LEASE = "campaign:cmp_1";
export const LONG_MILLIS = 1_000_000;
export const ONE = [contact(1)];
export const ORIGIN = { ...CALLER, causationId: null };
export const DONE = { ok: true, value: null, position: "7" } as const;
/** It goes on waiting for its time. */
export const WAITING = created(ONE, { startAt: at(1_000_000) });

type Options = {
  readonly keeps?: boolean;
  readonly leaseMillis?: number;
  /** Streams that are gone. */
  readonly gone?: ReadonlySet<string>;
  readonly differing?: (deps: RunnerDeps) => Partial<RunnerDeps>;
};

/** A process that runs campaigns, this one among others. */
export async function runnersOf(events: readonly CampaignEvent[], options: Options = {}) {
  const { keeps = true, leaseMillis = 10_000, gone = new Set(), differing = () => ({}) } = options;
  const acquired: [name: string, ttl: number][] = [];
  const seen = { enqueued: 0, reads: 0, acquired };
  const parts = runnerParts(
    (deps) => ({
      settings: { ...deps.settings, leaseMillis },
      commandQueue: {
        ...deps.commandQueue,
        enqueue: async (row) => {
          seen.enqueued += 1;
          await deps.commandQueue.enqueue(row);
        },
      },
      leases: {
        ...deps.leases,
        acquire: async (name, holder, ttl) => {
          seen.acquired.push([name, ttl]);
          return deps.leases.acquire(name, holder, ttl);
        },
      },
      dialing: {
        ...deps.dialing,
        begin: async () => ({
          handled: { events: [], revision: 0, position: "0" },
          handedOver: Promise.resolve(),
        }),
      },
      ...differing(deps),
    }),
    {
      planConcurrentCalls: 1,
      wrapStore: (store) => ({
        ...store,
        read: async (stream, how) => {
          seen.reads += 1;
          if (gone.has(stream)) throw new EventStoreError({ kind: "deleted", stream });
          return store.read(stream, how);
        },
      }),
    },
  );
  if (events.length > 0) await parts.store(STREAM, ...events);
  const { stores } = parts;
  const { pinnedConversations } = stores;
  const runners = createCampaignRunners({ ...parts.deps, pinnedConversations }, keeps);
  const stop = new AbortController();
  return {
    ...parts,
    seen,
    runners,
    runs: () => {
      const over = runners.run(stop.signal);
      return {
        ends: () => {
          stop.abort();
          return until(stores, over);
        },
      };
    },
    passed: (millis: number) => pass(stores, millis),
    /** Milliseconds that it takes, and what comes of it. */
    executes: async (command: QueuedCommand, owner = OWNER) => {
      const began = stores.clock.elapsed();
      const outcome = await until(
        stores,
        runners.execute("cmp_1", command, { ...ORIGIN, owner }).catch((error: unknown) => error),
      );
      return { millis: stores.clock.elapsed() - began, outcome };
    },
    heldElsewhere: (name = LEASE, millis = LONG_MILLIS) => stores.leases.acquire(name, "two", millis),
    holder: (name = LEASE) => stores.leases.holder(name),
    waiting: async () => (await stores.commandQueue.waiting(["cmp_1"])).length,
    types: () => openEvents(stores, STREAM).map(({ type }) => type),
    enqueue: (campaignId: CampaignId, command: QueuedCommand = { type: "PauseCampaign" }) =>
      stores.commandQueue.enqueue({
        id: "cmd_1",
        campaignId,
        owner: OWNER,
        payload: writeCommand(command, ORIGIN),
      }),
  };
}
