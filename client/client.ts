import { Api, HttpClient, type RequestParams } from "./generated/ringfold-api.ts";
import { sender } from "./requests.ts";

export type ClientOptions = {
  /** For example `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How often a request that failed is sent again, where that is safe (see the README); 3 unless set, 0: never. */
  readonly retries?: number;
  /** In place of the global one: for a proxy, or a certificate of your own. */
  readonly fetch?: typeof fetch;
};

export type Client = Api<unknown>;

/**
 * A typed client of the API: one method for each operation of the document, under its tag (`client.calls.startOutboundCall`). What is not 2xx rejects
 * with a RingfoldError; no answer at all, or half of one, with a ConnectionError.
 */
export function createClient({ baseUrl, apiKey, retries = 3, fetch }: ClientOptions): Client {
  const http = new HttpClient({
    baseUrl: baseUrl.replace(/\/+$/, ""),
    baseApiParams: { secure: true },
    securityWorker: () => ({ headers: { Authorization: `Bearer ${apiKey}` } }),
    ...(fetch === undefined ? {} : { customFetch: fetch }),
  });
  http.request = sender(http.request, retries);
  return new Api(http);
}

/** For a creating POST: the same key with the same body answers as the first time, for 24 h. Without it each call of a method draws a key of its own, unless `retries` is 0. */
export function idempotencyKey(key: string): RequestParams {
  return { headers: { "Idempotency-Key": key } };
}
