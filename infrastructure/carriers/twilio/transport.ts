import { Readable } from "node:stream";
import { type Dispatcher, request } from "undici";
import type { Clock } from "../../../application/ports/clock.ts";
import { guardedAgent } from "../../http/guarded-fetch.ts";
import type { CarrierEgress } from "../open-carrier-options.ts";

const LIMITS = { connectMillis: 3_000, answerHeaderBytes: 16 * 1_024, keepAliveMillis: 20_000 };
/** An hour of audio, streamed. */
const MEDIA_MILLIS = 120_000;
const GIVE_UP_MILLIS = 10_000;
const MAX_ANSWER_BYTES = 4 * 1_024 * 1_024;

/** No byte of the request was sent: certainly nobody was dialled by it. */
export class NothingSentError extends Error {
  override readonly name = "NothingSentError";
  readonly late: boolean;
  constructor(cause: string, late: boolean) {
    super(cause);
    this.late = late;
  }
}

export type TransportRequest = {
  readonly method: Dispatcher.HttpMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Monotonic clock: nothing is sent later. null: only the timeout of the request limits it. */
  readonly sendBy: number | null;
};

export type TransportAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
};

/** Requests to Twilio, one attempt each. */
export interface Transport {
  /** Rejects NothingSentError when no byte was sent, and with another error when one may have been. */
  send(request: TransportRequest): Promise<TransportAnswer>;
  /** An answer whose body is streamed. */
  stream(url: URL, headers: Readonly<Record<string, string>>): Promise<Dispatcher.ResponseData>;
  stop(): Promise<void>;
}

export function createTransport({
  clock,
  egress: { policy, resolve },
}: {
  readonly clock: Clock;
  readonly egress: Pick<CarrierEgress, "policy" | "resolve">;
}): Transport {
  const agent = guardedAgent({ policy, resolve, ca: undefined }, LIMITS);
  return {
    send: (asked) => send(agent, clock, asked),
    stream: (url, headers) =>
      request(url, { dispatcher: agent, headers, signal: AbortSignal.timeout(MEDIA_MILLIS) }),
    stop: () => agent.destroy(),
  };
}

async function send(
  agent: Dispatcher,
  clock: Clock,
  { method, url, headers, body, sendBy }: TransportRequest,
): Promise<TransportAnswer> {
  const signal = AbortSignal.timeout(GIVE_UP_MILLIS);
  const writing = { begun: false, late: false };
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method,
      headers: body === null ? headers : { ...headers, "content-length": `${Buffer.byteLength(body)}` },
      body:
        body === null ? null : Readable.from(written(body, () => mayWrite(clock, sendBy, signal, writing))),
      signal,
    });
    return { status: answer.statusCode, headers: answer.headers, text: await limitedText(answer.body) };
  } catch (error) {
    if (body === null || writing.begun) throw error;
    throw new NothingSentError(writing.late ? "too late to send" : codeOf(error), writing.late);
  }
}

/** Asked by the connection last of all: head and body of a request are sent together. */
async function* written(body: string, mayWrite: () => void): AsyncGenerator<string> {
  mayWrite();
  yield body;
}

function mayWrite(
  clock: Clock,
  sendBy: number | null,
  signal: AbortSignal,
  writing: { begun: boolean; late: boolean },
): void {
  signal.throwIfAborted();
  writing.late = sendBy !== null && clock.monotonicMillis() > sendBy;
  if (writing.late) throw new Error("too late to send");
  writing.begun = true;
}

async function limitedText(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error("the answer is too long");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

/** The name of a failure: the system's code if it has one. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
