import { z } from "zod";

/** The public API as the benchmarks use it; only the fields that they read are checked. */
export type Api = {
  get<T>(schema: z.ZodType<T>, path: string): Promise<T>;
  post<T>(schema: z.ZodType<T>, path: string, body?: unknown): Promise<T>;
  put<T>(schema: z.ZodType<T>, path: string, body: unknown): Promise<T>;
};

export const anything = z.unknown();
export const withId = z.object({ id: z.string() });
export const secret = z.object({ secret: z.string() });
export const campaignAnswer = z.object({
  campaign: z.object({ id: z.string(), status: z.string() }),
  statistics: z.object({ totalContacts: z.number() }),
});

/** Each returns `data`, and throws for any status that is not 2xx. */
export function apiOf(url: string, apiKey: string): Api {
  const send = async <T>(schema: z.ZodType<T>, method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 300)}`);
    return z.object({ data: schema }).parse(JSON.parse(text)).data;
  };
  return {
    get: (schema, path) => send(schema, "GET", path),
    post: (schema, path, body) => send(schema, "POST", path, body),
    put: (schema, path, body) => send(schema, "PUT", path, body),
  };
}
