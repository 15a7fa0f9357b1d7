import type { Server } from "node:http";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { Clock } from "../application/ports/clock.ts";
import { createSleepCut } from "../application/wake-signal.ts";
import type { Api } from "./api.ts";
import { createGate, type Gate } from "./body/body-gate.ts";
import { callerOf } from "./caller.ts";
import { ApiError } from "./errors.ts";
import { exchangeOf } from "./exchange.ts";
import { DEFAULT_LIMIT } from "./pagination.ts";

const KIB = 1_024;
/** Of all answers together that wait in memory for their clients, half of it of one owner. */
const ROOM_KIB = 96 * KIB;
/** Smaller answers are not counted: the kernel takes them, even for a client that reads nothing. */
const SMALL_BYTES = 16 * KIB;
const PIECE_BYTES = 64 * KIB;
/** Lists that are read and made into JSON at once, before their bytes are known; `long`: beyond 100 rows. */
const LISTS_AT_ONCE = { short: 16, long: 4 };
const SHORT_ROWS = 2 * DEFAULT_LIMIT;

/**
 * Answers under /api/v1 are counted in bytes until their clients have taken them
 * (docs/decisions/0078-answers-have-room.md). A list waits before its rows are read, so that what waits holds
 * nothing. `patience`: ms until it is 503.
 */
export function registerAnswerRoom(api: Api, clock: Clock, patience: number): void {
  const room = createGate(ROOM_KIB);
  const lists = { short: createGate(LISTS_AT_ONCE.short), long: createGate(LISTS_AT_ONCE.long) };
  const making = new WeakMap<FastifyRequest, () => void>();
  const enter = async (gate: Gate, request: FastifyRequest, places: number) => {
    const { owner } = callerOf(request);
    const entered = gate.tryEnter(owner, places);
    if (entered !== null) return entered;
    return patiently(clock, patience, exchangeOf(request).signal(), (signal) =>
      gate.enter(owner, signal, places),
    );
  };
  api.decorate("answerRoom", room);
  api.addHook("preHandler", async (request) => {
    const kind = request.caller === null ? null : listKind(request);
    if (kind === null) return;
    const leave = await enter(lists[kind], request, 1);
    making.set(request, leave);
    exchangeOf(request).afterwards(leave);
  });
  api.addHook("onSend", async (request, reply, payload) => {
    const bytes = bytesOf(payload);
    try {
      if (request.caller !== null && bytes > SMALL_BYTES)
        exchangeOf(request).afterwards(await enter(room, request, Math.ceil(bytes / KIB)));
    } catch (error) {
      reply.removeHeader("Content-Encoding");
      throw error;
    } finally {
      making.get(request)?.();
    }
    return payload;
  });
}

/** Made once: zod compiles a schema at its first use. */
const WITH_LIMIT = z.object({ limit: z.number().optional() });

/** null: an answer of a bounded size, or none that is read from rows. */
function listKind({ method, routeOptions, query }: FastifyRequest): keyof typeof LISTS_AT_ONCE | null {
  const { config, schema } = routeOptions;
  if (method !== "GET") return null;
  if (config.answersMuch === true) return "long";
  const asked = schema?.querystring;
  if (!(asked instanceof z.ZodObject) || !("limit" in asked.shape)) return null;
  const { limit = DEFAULT_LIMIT } = WITH_LIMIT.parse(query);
  return limit > SHORT_ROWS ? "long" : "short";
}

function bytesOf(payload: unknown): number {
  if (typeof payload === "string") return Buffer.byteLength(payload);
  return payload instanceof Uint8Array ? payload.byteLength : 0;
}

/** Given, because an abort without a reason makes an error with a stack. */
const OVER = "over";

/** Rejects 503 when no place was free in time, and when the client went away. */
async function patiently<Value>(
  clock: Pick<Clock, "sleep">,
  millis: number,
  clientLeft: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  // One controller and a plain cut: those of AbortSignal.any cost more than a short wait.
  const over = new AbortController();
  const entered = createSleepCut();
  const end = () => over.abort(OVER);
  void clock.sleep(millis, entered).then(end);
  if (clientLeft.aborted) end();
  clientLeft.addEventListener("abort", end);
  try {
    return await work(over.signal);
  } catch {
    throw new ApiError("NOT_READY", "Answers are not taken fast enough at the moment; ask again");
  } finally {
    clientLeft.removeEventListener("abort", end);
    entered.abort();
  }
}

/**
 * The texts of an endless or long answer in pieces of 64 KiB. A text that is larger is counted while its
 * pieces are taken.
 */
export async function* inPieces(
  room: Gate,
  request: FastifyRequest,
  texts: AsyncIterable<string>,
): AsyncGenerator<Uint8Array, void> {
  const { owner } = callerOf(request);
  const signal = exchangeOf(request).signal();
  for await (const text of texts) {
    const bytes = Buffer.from(text);
    const large = bytes.byteLength > PIECE_BYTES;
    const leave = large ? await room.enter(owner, signal, Math.ceil(bytes.byteLength / KIB)) : () => {};
    try {
      for (let from = 0; from < bytes.byteLength; from += PIECE_BYTES)
        yield bytes.subarray(from, from + PIECE_BYTES);
    } finally {
      leave();
    }
  }
}

/**
 * Destroys a connection whose client takes nothing of its answer for so many ms. Node counts what the kernel
 * has taken, also of one large write.
 */
export function cutIdleReaders(server: Server, millis: number): void {
  server.on("request", ({ socket }, response) => {
    socket.setTimeout(millis);
    response.on("timeout", () => {
      if (socket.writableLength > 0) socket.destroy();
    });
  });
}
