import type { ModelRequest } from "../../../application/ports/language-model.ts";
import { requestHeaders } from "../../connections/request-headers.ts";
import { type Manners, type MannersBook, mannerFor } from "../../connections/server-manners.ts";
import type { GuardedFetch } from "../../http/guarded-fetch.ts";
import { type ChatRequest, chatRequest, sentOf } from "./chat-request.ts";
import { failureOfStatus, refusalIn } from "./failure-of.ts";
import type { Patience } from "./patience.ts";

/** An OpenAI-compatible server from one connection. */
export type OpenAiServer = {
  /** With its version, without a trailing slash: `https://api.example.com/v1`. */
  readonly baseUrl: string;
  /** null: the server needs none. */
  readonly apiKey: string | null;
  readonly fetch: GuardedFetch["fetch"];
  /** How its models want to be asked, under the name of the server (`serverName`). */
  readonly manners: MannersBook;
  readonly name: string;
};

/** The most of a refusal that is read. */
const REFUSAL_BYTES = 4_096;

/**
 * The answer of a server that took the request. A refusal (400, 422) that names what could be left out or
 * changed brings the same question once more without it; what the server then took is remembered. Each
 * thing is found out once, so the number of questions is bounded by the kinds of manners.
 */
export async function askedServer(
  server: OpenAiServer,
  request: ModelRequest,
  model: string,
  patience: Patience,
): Promise<Response> {
  const known = server.manners.of(server.name, model);
  const manners = new Set(known);
  for (;;) {
    const body = chatRequest(request, model, server.baseUrl, manners);
    const answer = await patience.await(send(server, body, patience));
    if (answer.ok) {
      if (manners.size > known.size) server.manners.learn(server.name, model, manners);
      return answer;
    }
    const text = await patience.await(beginningOf(answer));
    const manner = newManner(answer.status, text, body, manners);
    if (manner === null) throw failureOfStatus(answer.status, answer.headers, text);
    manners.add(manner);
  }
}

function newManner(status: number, text: string, body: ChatRequest, manners: Manners) {
  if (status !== 400 && status !== 422 && !(status === 404 && isForm(body))) return null;
  const manner = mannerFor(refusalIn(text), sentOf(body), manners);
  return manner === null || manners.has(manner) ? null : manner;
}

/** Some servers have no model for a form, and say so as of an unknown address. */
function isForm({ response_format, tool_choice }: ChatRequest): boolean {
  return response_format !== undefined || tool_choice !== undefined;
}

/** Nothing is repeated, and only the headers go out that a server needs. */
async function send(
  { baseUrl, apiKey, fetch }: OpenAiServer,
  body: ChatRequest,
  patience: Patience,
): Promise<Response> {
  if (patience.signal.aborted) return Promise.withResolvers<never>().promise;
  return fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: { ...requestHeaders(apiKey, "text/event-stream"), "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: patience.signal,
  });
}

async function beginningOf(answer: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body ?? []) {
    parts.push(part);
    bytes += part.length;
    if (bytes >= REFUSAL_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, REFUSAL_BYTES).toString("utf8");
}
