import { z } from "zod";

/** What the demo asks of the public API; answers are checked for the fields that it reads. */
export type Api = {
  get<T>(schema: z.ZodType<T>, path: string): Promise<T>;
  post<T>(schema: z.ZodType<T>, path: string, body?: unknown): Promise<T>;
  put<T>(schema: z.ZodType<T>, path: string, body: unknown): Promise<T>;
  patch<T>(schema: z.ZodType<T>, path: string, body: unknown): Promise<T>;
  /** A body that is no JSON (a CSV file). */
  upload<T>(schema: z.ZodType<T>, path: string, contentType: string, body: string): Promise<T>;
  /** All rows of a list, page after page. */
  all<T>(schema: z.ZodType<T>, path: string): Promise<T[]>;
};

const refusal = z.object({
  error: z.union([
    z.string(),
    z.object({
      code: z.string(),
      message: z.string(),
      details: z
        .array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() }))
        .optional(),
    }),
  ]),
});

export function apiOf(url: string, apiKey: string): Api {
  const send = async (
    method: string,
    path: string,
    contentType?: string,
    body?: string,
  ): Promise<unknown> => {
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(contentType === undefined ? {} : { "content-type": contentType }),
    };
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    const parsed: unknown = await answer.json();
    if (!answer.ok)
      throw new Error(`${method} ${path.split("?")[0]} answered ${answer.status}: ${reasonOf(parsed)}`);
    return parsed;
  };
  const sendJson = async <T>(
    schema: z.ZodType<T>,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T> => {
    const answer = await send(
      method,
      path,
      body === undefined ? undefined : "application/json",
      body === undefined ? undefined : JSON.stringify(body),
    );
    return z.object({ data: schema }).parse(answer).data;
  };
  return {
    get: (schema, path) => sendJson(schema, "GET", path),
    post: (schema, path, body) => sendJson(schema, "POST", path, body),
    put: (schema, path, body) => sendJson(schema, "PUT", path, body),
    patch: (schema, path, body) => sendJson(schema, "PATCH", path, body),
    upload: async (schema, path, contentType, body) =>
      z.object({ data: schema }).parse(await send("POST", path, contentType, body)).data,
    all: (schema, path) => allPages(schema, path, (page) => send("GET", page)),
  };
}

async function allPages<T>(
  schema: z.ZodType<T>,
  path: string,
  get: (path: string) => Promise<unknown>,
): Promise<T[]> {
  const page = z.object({
    data: z.array(schema),
    pagination: z.object({ nextCursor: z.string().nullable() }),
  });
  const rows: T[] = [];
  let cursor: string | null = null;
  do {
    const next: string = `${path}${path.includes("?") ? "&" : "?"}limit=200${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    const { data, pagination }: z.infer<typeof page> = page.parse(await get(next));
    rows.push(...data);
    cursor = pagination.nextCursor;
  } while (cursor !== null);
  return rows;
}

/** The message of a refusal with the places it names. */
function reasonOf(body: unknown): string {
  const parsed = refusal.safeParse(body);
  if (!parsed.success) return JSON.stringify(body);
  const { error } = parsed.data;
  if (typeof error === "string") return error;
  const places = (error.details ?? []).map(({ path, message }) => `${path.join(".") || "body"}: ${message}`);
  return [error.message, ...places].join("; ");
}
