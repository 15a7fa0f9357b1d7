import { Api, HttpClient, type RequestParams } from "./generated/ringfold-api.ts";
import { sender } from "./requests.ts";

export type ClientOptions = {
  /** For example `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /**
   * How often a failed request is sent again, where that is safe (see the README); 3 unless set, 0: never.
   */
  readonly retries?: number;
  /** Instead of the global one: for a proxy, or your own certificate. */
  readonly fetch?: typeof fetch;
};

export type Client = Api<unknown>;

/**
 * A typed client of the API: one method for each operation of the document, under its tag
 * (`client.calls.startOutboundCall`). An answer that is not 2xx rejects with a RingfoldError; a missing or
 * incomplete answer with a ConnectionError.
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

/**
 * For a creating POST: for 24 h the same key with the same body gets the first answer again. Without it each
 * call of a method makes its own key, unless `retries` is 0.
 */
export function idempotencyKey(key: string): RequestParams {
  return { headers: { "Idempotency-Key": key } };
}
