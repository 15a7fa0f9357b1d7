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

/** One operation of the API, as the client sends it. */
export type Operation = {
  /** Of methods of the client: `phoneNumbers`. */
  readonly group: string;
  readonly name: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `:name` in it is a parameter. */
  readonly path: string;
  readonly takesBody: "nothing" | "JSON" | "form";
  readonly takesQuery: boolean;
  readonly takesIdempotencyKey: boolean;
  readonly needsApiKey: boolean;
  readonly answers: "JSON" | "stream";
};

/** What `fetch` takes beside method and body. */
export type RequestParams = Omit<RequestInit, "method" | "body">;

/** The answer of fetch, with its body. */
export type HttpResponse<Data> = Response & { readonly data: Data };
