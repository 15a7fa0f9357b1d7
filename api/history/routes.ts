import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Position } from "../../application/ports/event-store.ts";
import { historyRoutes } from "../../contract/history.ts";
import { inPieces } from "../answer-room.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import { concurrencyOf } from "../concurrency.ts";
import type { ApiDeps } from "../deps.ts";
import { exchangeOf } from "../exchange.ts";
import { DEFAULT_LIMIT } from "../pagination.ts";
import { positionText, telling } from "../positions.ts";
import { of } from "../route.ts";
import { eventRange, filterOf, withinReach } from "./event-range.ts";
import { eventLines, eventStream } from "./server-sent-events.ts";
import { keyWatch } from "./watch-keys.ts";

/** For one owner, in this process. */
const MOST_STREAMS = 500;

/** docs/api.md §8. */
export function registerHistory(api: Api, deps: ApiDeps): void {
  const enter = concurrencyOf(MOST_STREAMS, "event streams of this owner");
  const follow = following(deps);
  api.route({
    ...of(historyRoutes.listEvents),
    handler: async (request, reply) => {
      const { owner } = callerOf(request);
      const streams = wantsStream(request);
      const filter = filterOf(request.query);
      const asked = await eventRange(deps, request, request.query, streams);
      const range = await withinReach(deps, owner, filter, asked);
      const { limit = DEFAULT_LIMIT } = request.query;
      if (streams) {
        const { after } = range;
        exchangeOf(request).afterwards(enter(owner));
        // refused before the stream begins
        await deps.queries.ownerEvents(owner, filter, { after, limit: 1 });
        const pieces = inPieces(api.answerRoom, request, follow(request, reply, filter, after));
        return reply.send(Readable.from(pieces, { objectMode: false }));
      }
      const tell = telling(reply);
      if (range.fromNow) {
        tell(range.after);
        return { success: true as const, data: [], pagination: { limit, nextCursor: null } };
      }
      const { fromNow: _now, ...part } = range;
      const page = await deps.queries.ownerEvents(owner, filter, { ...part, limit }, tell);
      const nextCursor = page.atEnd ? null : positionText(page.next);
      return { success: true as const, data: page.rows, pagination: { limit, nextCursor } };
    },
  });
}

/** Begins a stream that ends with its key, its session or the service. */
function following(deps: ApiDeps) {
  const watchKeys = keyWatch(deps);
  const lineOf = eventLines();
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    filter: ReturnType<typeof filterOf>,
    after: Position,
  ) => {
    const { owner, actor: keyId } = callerOf(request);
    const exchange = exchangeOf(request);
    reply.type("text/event-stream; charset=utf-8").header("Cache-Control", "no-cache");
    // The connection is closed after the service has ended its stream.
    reply.header("X-Accel-Buffering", "no").header("Connection", "close");
    const open = deps.openStreams.open({ owner, keyId, sessionId: request.sessionId }, () =>
      reply.raw.destroy(),
    );
    exchange.afterwards(open.leave);
    watchKeys();
    return eventStream({ ...deps, lineOf }, owner, filter, after, exchange.signal(), open);
  };
}

function wantsStream(request: FastifyRequest): boolean {
  return request.headers.accept?.includes("text/event-stream") === true;
}
