/** An error answer of the service; `status` 0: there was no answer. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly details: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
  constructor(
    status: number,
    code: string,
    message: string,
    requestId: string | null,
    details: ApiFailure["details"] = [],
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.details = details;
  }
}

export type Answer<T> = {
  readonly data: T;
  readonly pagination: { readonly limit: number; readonly nextCursor: string | null } | null;
  /** Position up to which all events are in the answer. */
  readonly position: string | null;
  /** The whole answer. */
  readonly body: unknown;
};

export type RequestOptions = {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Sent unchanged: a file. */
  readonly raw?: FormData;
};

type Told = {
  readonly success?: boolean;
  readonly data?: unknown;
  readonly pagination?: Answer<unknown>["pagination"];
  /** Only text, where the start of a call is refused. */
  readonly error?:
    | string
    | { readonly code: string; readonly message: string; readonly details?: ApiFailure["details"] };
};

type Refused = Partial<Pick<ApiFailure, "code" | "message" | "details">>;

let onSignedOut = (): void => undefined;
/** Called when an answer says that nobody is signed in (any more). */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/** Sends a request with the cookie of the session. Throws ApiFailure. */
export async function request<T>(
  method: string,
  path: string,
  { body, headers = {}, signal, raw }: RequestOptions = {},
): Promise<Answer<T>> {
  const answer = await send(method, path, {
    headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(raw === undefined ? {} : { body: raw }),
    ...(signal === undefined ? {} : { signal }),
  });
  const told = (await answer.json().catch(() => ({}))) as Told;
  if (answer.ok) {
    const { data, pagination = null } = told;
    const position = answer.headers.get("X-Event-Position");
    return { data: data as T, pagination, position, body: told };
  }
  if (answer.status === 401 && path !== "/api/v1/session") onSignedOut();
  const refused = typeof told.error === "string" ? { message: told.error } : told.error;
  const { code = "UNKNOWN", message = answer.statusText, details = [] }: Refused = refused ?? {};
  throw new ApiFailure(answer.status, code, message, answer.headers.get("X-Request-Id"), details);
}

async function send(method: string, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { method, credentials: "same-origin", ...init });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new ApiFailure(0, "OFFLINE", "The service does not answer", null);
  }
}

export const get = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  (await request<T>("GET", path, signal === undefined ? {} : { signal })).data;
export const post = async <T>(
  path: string,
  body?: unknown,
  headers?: RequestOptions["headers"],
): Promise<T> =>
  (await request<T>("POST", path, { body: body ?? {}, ...(headers === undefined ? {} : { headers }) })).data;
export const patch = async <T>(path: string, body: unknown): Promise<T> =>
  (await request<T>("PATCH", path, { body })).data;

/** `{a: 1, b: undefined}` → `?a=1`. */
export function query(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === "" ? "" : `?${text}`;
}
