import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";

/**
 * A client of the public API that retries requests without an answer with the same Idempotency-Key. It
 * sees its own writes.
 */
export type DrillClient = {
  readonly get: <T>(schema: z.ZodType<T>, path: string) => Promise<T>;
  readonly post: <T>(schema: z.ZodType<T>, path: string, body?: unknown, key?: string) => Promise<T>;
  readonly patch: <T>(schema: z.ZodType<T>, path: string, body: unknown) => Promise<T>;
  readonly put: <T>(schema: z.ZodType<T>, path: string, body: unknown) => Promise<T>;
  readonly remove: <T>(schema: z.ZodType<T>, path: string) => Promise<T>;
  /** Sent once, a file of a list; the status of the answer, 0: none came. */
  readonly upload: (path: string, csv: string) => Promise<number>;
  /** Of one GET, whatever it answers; 0: nothing. */
  readonly status: (path: string) => Promise<number>;
  /** All rows of a list, page after page; `query` names the parameter of the next page. */
  readonly all: <T>(schema: z.ZodType<T>, path: string, place?: "cursor" | "after") => Promise<T[]>;
  /** Answers of 500 and above, with their requests. */
  readonly serverErrors: readonly string[];
};

export class Refused extends Error {
  override readonly name = "Refused";
}

const ANSWER_MILLIS = 20_000;
const AGAIN_MILLIS = 50;
const PATIENCE_MILLIS = 180_000;

/** `address` returns the current address of the service. */
export function drillClient(address: () => Promise<string>, apiKey: string): DrillClient {
  const serverErrors: string[] = [];
  /** Position of the last write, see docs/api.md §1. */
  let written: string | null = null;

  /** null: no answer, or one that says nothing about the request. */
  const ask = async (method: string, path: string, body?: unknown, key?: string): Promise<unknown> => {
    const url = await address();
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
      ...(written === null || method !== "GET" ? {} : { "x-min-event-position": written }),
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const signal = AbortSignal.timeout(ANSWER_MILLIS);
    const answer = await fetch(`${url}${path}`, { method, headers, signal, ...sent }).catch(() => null);
    const text = await answer?.text().catch(() => null);
    if (answer === null || text === null || text === undefined) return null;
    if (answer.status === 503 && text.includes("READ_MODEL_BEHIND")) return null;
    if (answer.status >= 500) {
      serverErrors.push(`${method} ${path}: ${answer.status} ${text}`);
      return null;
    }
    if (!answer.ok) throw new Refused(`${method} ${path} answered ${answer.status}: ${text}`);
    if (method !== "GET") written = answer.headers.get("x-event-position") ?? written;
    return JSON.parse(text);
  };

  const retryUntilAnswered = async (
    method: string,
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<unknown> => {
    const until = performance.now() + PATIENCE_MILLIS;
    while (performance.now() < until) {
      const answer = await ask(method, path, body, key);
      if (answer !== null) return answer;
      await wait(AGAIN_MILLIS);
    }
    throw new Error(`${method} ${path} got no answer in ${PATIENCE_MILLIS} ms; ${serverErrors.at(-1) ?? ""}`);
  };

  return {
    get: async (schema, path) => dataOf(schema, await retryUntilAnswered("GET", path)),
    post: async (schema, path, body, key) =>
      dataOf(schema, await retryUntilAnswered("POST", path, body, key)),
    patch: async (schema, path, body) => dataOf(schema, await retryUntilAnswered("PATCH", path, body)),
    put: async (schema, path, body) => dataOf(schema, await retryUntilAnswered("PUT", path, body)),
    upload: async (path, csv) => {
      const headers = { authorization: `Bearer ${apiKey}`, "content-type": "text/csv" };
      const signal = AbortSignal.timeout(ANSWER_MILLIS);
      const sent = { method: "PUT", headers, body: csv, signal };
      const answer = await fetch(`${await address()}${path}`, sent).catch(() => null);
      await answer?.body?.cancel();
      return answer?.status ?? 0;
    },
    remove: async (schema, path) => dataOf(schema, await retryUntilAnswered("DELETE", path)),
    status: async (path) => {
      const signal = AbortSignal.timeout(ANSWER_MILLIS);
      const headers = { authorization: `Bearer ${apiKey}` };
      const answer = await fetch(`${await address()}${path}`, { headers, signal }).catch(() => null);
      await answer?.body?.cancel();
      return answer?.status ?? 0;
    },
    all: (schema, path, place = "cursor") =>
      allPages(schema, path, place, (page) => retryUntilAnswered("GET", page)),
    serverErrors,
  };
}

/** `data` of the answer; the only flat answer (the outbound start) unchanged. */
function dataOf<T>(schema: z.ZodType<T>, answer: unknown): T {
  const wrapped = z.object({ data: z.unknown() }).safeParse(answer);
  return schema.parse(wrapped.success && wrapped.data.data !== undefined ? wrapped.data.data : answer);
}

async function allPages<T>(
  schema: z.ZodType<T>,
  path: string,
  place: string,
  get: (path: string) => Promise<unknown>,
): Promise<T[]> {
  const page = z.object({
    data: z.array(schema),
    pagination: z.object({ nextCursor: z.string().nullable() }),
  });
  const rows: T[] = [];
  let next: string | null = null;
  do {
    const from: string = next === null ? "" : `&${place}=${encodeURIComponent(next)}`;
    const { data, pagination }: z.infer<typeof page> = page.parse(await get(`${path}?limit=200${from}`));
    rows.push(...data);
    next = data.length === 0 ? null : pagination.nextCursor;
  } while (next !== null);
  return rows;
}
