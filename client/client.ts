import { Api, HttpClient, type RequestParams } from "./generated/ringfold-api.ts";

export type ClientOptions = {
  /** For example `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  readonly apiKey: string;
};

/** A typed client of the API: one method for each operation of the document, under its tag (`client.calls.startOutboundCall`). What is not 2xx rejects with the response, its body in `error`. */
export function createClient({ baseUrl, apiKey }: ClientOptions): Api<string> {
  return new Api(
    new HttpClient<string>({
      baseUrl,
      baseApiParams: { secure: true, format: "json" },
      securityWorker: () => ({ headers: { Authorization: `Bearer ${apiKey}` } }),
    }),
  );
}

/** For a creating POST: the same key with the same body answers as the first time, for 24 h. */
export function idempotencyKey(key: string): RequestParams {
  return { headers: { "Idempotency-Key": key } };
}

/**
 * POST /campaigns/import with a CSV file as its body, which the generated method cannot send (it knows one type of body an operation).
 * `settings`: the body of a campaign without contacts. Resolves with `data` of the 201; what is not 2xx rejects with the response, its body in `error`.
 */
export async function importCsv(
  { baseUrl, apiKey }: ClientOptions,
  csv: string,
  settings: object,
): Promise<unknown> {
  const query = new URLSearchParams({ settings: JSON.stringify(settings) });
  const headers = { Authorization: `Bearer ${apiKey}`, "Content-Type": "text/csv" };
  const response = await fetch(`${baseUrl}/api/v1/campaigns/import?${query}`, {
    method: "POST",
    headers,
    body: csv,
  });
  const body: unknown = await response.json();
  if (!response.ok) throw Object.assign(response, { error: body });
  return typeof body === "object" && body !== null && "data" in body ? body.data : null;
}
