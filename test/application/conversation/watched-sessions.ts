import { createLostSessions } from "../../../application/conversation/lost-sessions.ts";
import type { PinnedConversation } from "../../../application/ports/pinned-conversations.ts";
import type { Slot } from "../../../domain/admission/requests.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { addUtterance } from "../../domain/call/example-conversation.ts";
import {
  conversationWorld,
  until,
  type WorldSettings,
} from "../../support/conversation/conversation-world.ts";
import { keptLines } from "./kept-lines.ts";

/** What the tables know: whose process is silent, who is talked on by nobody, which calls are open. */
type Known = {
  lost: readonly CallId[];
  unknown: readonly CallId[];
  live: readonly CallId[];
  seenAt: (callId: CallId) => Promise<Instant | null>;
};

/** A call whose session said a sentence after a second; another process looks for lost sessions. */
export async function watchedSession(known: Partial<Known> = {}, settings: WorldSettings = {}) {
  const world = await conversationWorld(settings);
  const { clock, stream, origin, request } = world;
  const begin = () =>
    world.aggregates.calls.handle(
      stream,
      [{ type: "BeginSession", kind: "relay", now: clock.now() }],
      origin,
    );
  await until(clock, begin());
  await world.pass(1_000);
  await until(clock, world.aggregates.calls.handle(stream, [addUtterance(1)], origin));
  const tables: Known = { lost: [], unknown: [], live: [], seenAt: async () => null, ...known };
  const asked = {
    lost: [] as (readonly number[])[],
    unknown: [] as (readonly [number, ...CallId[]])[],
    live: [] as (readonly [number, Instant, number])[],
    seenAt: [] as CallId[],
    forgotten: [] as CallId[],
  };
  const pinned = { read: async (): Promise<PinnedConversation | null> => null };
  const logger = keptLines();
  const slot = (callId: CallId): Slot => ({
    callId,
    owner: request.owner,
    campaignId: null,
    dialAt: request.dialAt,
    dialBy: request.dialBy,
    nextLookAt: request.dialBy,
  });
  const elsewhere = world.startProcess().aggregates.calls;
  const watch = createLostSessions({
    calls: elsewhere,
    eventStore: world.eventStore,
    codec: world.codec,
    pinnedConversations: { read: () => pinned.read() },
    clock,
    logger,
    processId: "two",
    admission: {
      dueLooks: async (at, limit) => {
        asked.live.push([clock.elapsed(), at, limit]);
        return tables.live.map(slot);
      },
    },
    presence: {
      lost: async (millis, limit) => {
        asked.lost.push([millis, limit]);
        return tables.lost.filter((callId) => !asked.forgotten.includes(callId));
      },
      unknown: async (callIds) => {
        asked.unknown.push([clock.elapsed(), ...callIds]);
        return callIds.filter((callId) => tables.unknown.includes(callId));
      },
      forget: async (callId) => void asked.forgotten.push(callId),
      seenAt: async (callId) => {
        asked.seenAt.push(callId);
        return tables.seenAt(callId);
      },
    },
  });
  const stop = new AbortController();
  /** Looks for so long, every 2 s, beginning now. */
  const look = async (millis: number) => {
    const running = watch.run(stop.signal);
    await world.pass(millis);
    stop.abort();
    await running;
  };
  return { world, watch, tables, asked, logger, pinned, begin, look, elsewhere };
}
