import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { type Position, START } from "../../application/ports/event-store.ts";
import type { OwnerEventsFilter } from "../../application/ports/queries/history-records.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import { concurrencyOf } from "../concurrency.ts";
import type { ApiDeps } from "../deps.ts";
import { validationError } from "../errors.ts";
import { exchangeOf } from "../exchange.ts";
import { parseId } from "../ids.ts";
import { DEFAULT_LIMIT, pageFields } from "../pagination.ts";
import { parsePosition, positionText } from "../positions.ts";
import { bytes, list } from "../schema.ts";
import { ownerEvent, ownerEventsQuery } from "./schemas.ts";
import { eventLines, eventStream } from "./server-sent-events.ts";
import { keyWatch } from "./watch-keys.ts";

/** Of one owner, in this process. */
const MOST_STREAMS = 500;

/** docs/api.md §8. */
export function registerHistory(api: Api, deps: ApiDeps): void {
  const enter = concurrencyOf(MOST_STREAMS, "event streams of this owner");
  const watchKeys = keyWatch(deps);
  const lineOf = eventLines();
  api.get(
    "/api/v1/events",
    {
      schema: {
        operationId: "listEvents",
        summary: "Everything that happened to this owner's calls, campaigns and squads, oldest first",
        description:
          "`cursor` and `after` both take the position to go on after, which is `pagination.nextCursor`. With `Accept: text/event-stream` it follows live; " +
          "`Last-Event-ID` resumes. A stream that the service ends closes with `event: closing`, whose data says why.",
        tags: ["history"],
        querystring: ownerEventsQuery.extend(pageFields),
        response: {
          200: {
            description: "A page, or a stream of server-sent events",
            content: {
              "application/json": { schema: list(ownerEvent) },
              "text/event-stream": { schema: bytes },
            },
          },
        },
      },
      config: { scope: "events:read", streamsEvents: true, errors: ["CONCURRENCY_LIMIT_REACHED"] },
    },
    async (request, reply) => {
      const { owner, actor: keyId } = callerOf(request);
      const { types, stream, limit = DEFAULT_LIMIT } = request.query;
      const filter = filterOf(types, stream);
      const after = startOf(deps, request, request.query);
      if (wantsStream(request)) {
        const exchange = exchangeOf(request);
        exchange.afterwards(enter(owner));
        await deps.queries.ownerEvents(owner, filter, { after, limit: 1 }); // refused before it is begun
        reply.type("text/event-stream; charset=utf-8").header("Cache-Control", "no-cache");
        // Nothing else is asked for on a connection whose stream the service has ended.
        reply.header("X-Accel-Buffering", "no").header("Connection", "close");
        const open = deps.openStreams.open({ owner, keyId }, () => reply.raw.destroy());
        exchange.afterwards(open.leave);
        watchKeys();
        const lines = eventStream({ ...deps, lineOf }, owner, filter, after, exchange.signal(), open);
        return reply.send(Readable.from(lines, { objectMode: false }));
      }
      const page = await deps.queries.ownerEvents(owner, filter, { after, limit });
      const nextCursor = page.atEnd ? null : positionText(page.next);
      return { success: true as const, data: page.rows, pagination: { limit, nextCursor } };
    },
  );
}

function wantsStream(request: FastifyRequest): boolean {
  return request.headers.accept?.includes("text/event-stream") === true;
}

/** Last-Event-ID wins over the query, because a browser that comes back sends both. */
function startOf(
  deps: ApiDeps,
  request: FastifyRequest,
  { after, cursor }: { readonly after?: string | undefined; readonly cursor?: string | undefined },
): Position {
  if (cursor !== undefined && after !== undefined) {
    throw validationError("The query", [{ path: ["cursor"], message: "Must not stand together with after" }]);
  }
  const last = request.headers["last-event-id"];
  const given = cursor === undefined ? (["after", after] as const) : (["cursor", cursor] as const);
  const [name, text] = typeof last === "string" && last !== "" ? ["Last-Event-ID", last] : given;
  if (text === undefined) return START;
  const position = text.length <= 128 ? parsePosition(deps, text) : null;
  if (position !== null) return position;
  throw validationError("The request", [{ path: [name], message: "Must be a position of the log" }]);
}

function filterOf(types: readonly string[] | undefined, stream: string | undefined): OwnerEventsFilter {
  const narrowed = types === undefined ? {} : { types };
  if (stream === undefined) return narrowed;
  const streamOf = parseId("call", stream) ?? parseId("cmp", stream) ?? parseId("sqd", stream);
  if (streamOf !== null) return { ...narrowed, streamOf };
  const message = "Must be the id of a call, a campaign or a squad";
  throw validationError("The query", [{ path: ["stream"], message }]);
}
