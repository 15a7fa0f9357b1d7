import { ConnectionError, RingfoldError } from "./errors.ts";
import { pause, retryDelay } from "./retries.ts";
import type { ClientOptions, HttpResponse, Operation, RequestParams } from "./transport.ts";

/** Sends an operation with the arguments of its method. */
type Send = (operation: Operation, args: readonly unknown[]) => Promise<HttpResponse<unknown>>;

/** Sends with Error objects and retries. */
export function sender({ baseUrl, apiKey, retries = 3, fetch }: ClientOptions): Send {
  const send: typeof globalThis.fetch = fetch ?? ((...args) => globalThis.fetch(...args));
  const origin = baseUrl.replace(/\/+$/, "");
  return async (operation, args) => {
    const { path, query, init } = requestOf(operation, args);
    if (operation.needsApiKey) init.headers.set("Authorization", `Bearer ${apiKey}`);
    const wantsKey = operation.takesIdempotencyKey && retries > 0;
    if (wantsKey && !init.headers.has(KEY)) init.headers.set(KEY, randomKey());
    for (let failures = 0; ; failures += 1) {
      try {
        return await answerOf(
          { operation, path, signal: init.signal },
          send(`${origin}${path}${query}`, init),
        );
      } catch (error) {
        if (init.signal?.aborted === true || failures >= retries) throw error;
        const delay = retryDelay(error, isRepeatable(operation), failures);
        if (delay === null) throw error;
        await pause(delay, init.signal);
      }
    }
  };
}

const KEY = "Idempotency-Key";
const REPEATABLE = ["GET", "PUT", "DELETE"];

/** By its method (RFC 9110 §9.2.2), or by its key. */
const isRepeatable = ({ method, takesIdempotencyKey }: Operation): boolean =>
  takesIdempotencyKey || REPEATABLE.includes(method);

type Sent = RequestInit & { readonly headers: Headers };

/** Arguments in their order: those of the path, the body, the query, what fetch takes. */
function requestOf(
  { method, path, takesBody, takesQuery }: Operation,
  args: readonly unknown[],
): { readonly path: string; readonly query: string; readonly init: Sent } {
  const rest = [...args];
  const filled = path.replaceAll(/:\w+/g, () => encodeURIComponent(String(rest.shift())));
  const body = takesBody === "nothing" ? undefined : rest.shift();
  const query = takesQuery ? queryOf(rest.shift()) : "";
  const params: RequestParams = rest.shift() ?? {};
  const headers = new Headers(params.headers);
  const init = { referrerPolicy: "no-referrer" as const, ...params, method, headers };
  if (body === undefined || body === null) return { path: filled, query, init };
  if (takesBody === "form") return { path: filled, query, init: { ...init, body: formOf(body) } };
  headers.set("Content-Type", "application/json");
  return { path: filled, query, init: { ...init, body: JSON.stringify(body) } };
}

/** `{a: 1, b: undefined}` → `?a=1`. */
function queryOf(values: unknown): string {
  const given = Object.entries(values ?? {}).filter(([, value]) => value !== undefined);
  if (given.length === 0) return "";
  return `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}

function formOf(parts: unknown): FormData {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts ?? {})) form.append(name, part);
  return form;
}

type Asked = {
  readonly operation: Operation;
  readonly path: string;
  readonly signal?: AbortSignal | null | undefined;
};

/** The answer with its `data`: JSON, or the stream of a file or of events. */
async function answerOf(
  { operation, path, signal }: Asked,
  answer: Promise<Response>,
): Promise<HttpResponse<unknown>> {
  const asked = { method: operation.method, path };
  try {
    const response = await answer;
    if (!response.ok) throw new RingfoldError(asked, response, await response.json().catch(() => null));
    const isStream = operation.answers === "stream" || isOfEvents(response);
    return Object.assign(response, { data: isStream ? response.body : await response.json() });
  } catch (error) {
    if (error instanceof RingfoldError || signal?.aborted === true) throw error;
    throw new ConnectionError(asked, error);
  }
}

function isOfEvents({ headers }: Response): boolean {
  return headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** 128 random bits. `crypto.randomUUID` is missing on pages without https. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
