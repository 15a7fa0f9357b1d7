import OpenAI from "openai";
import { requestHeaders } from "../../connections/request-headers.ts";
import type { GuardedFetch } from "../../http/guarded-fetch.ts";

/** An OpenAI-compatible server from one connection. */
export type OpenAiServer = {
  /** With its version, without a trailing slash: `https://api.example.com/v1`. */
  readonly baseUrl: string;
  /** null: the server needs none. */
  readonly apiKey: string | null;
  readonly fetch: GuardedFetch["fetch"];
};

/**
 * The SDK with our guarded fetch. It retries nothing, logs nothing, and sends only the headers that a
 * server needs: the others describe this machine, or come from environment variables that are not meant
 * for an owner's server.
 */
export function openAiClient({ baseUrl, apiKey, fetch }: OpenAiServer): OpenAI {
  return new OpenAI({
    baseURL: baseUrl,
    apiKey: "sent by us",
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off",
    fetch: (input, init) =>
      fetch(String(input), {
        method: init?.method === "GET" ? "GET" : "POST",
        headers: { ...requestHeaders(apiKey, "text/event-stream"), "content-type": "application/json" },
        body: typeof init?.body === "string" ? init.body : null,
        signal: init?.signal ?? new AbortController().signal,
      }),
  });
}
