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
