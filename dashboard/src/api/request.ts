import type {
  AnswerOf,
  BodyOf,
  DataOf,
  ParamsOf,
  PathsOf,
  QueryOf,
  RouteAt,
} from "../../../contract/asking.ts";
import type { Route } from "../../../contract/route.ts";

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

type Method = Route["method"];

type Options = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Sent unchanged: a file. */
  readonly raw?: FormData | File;
  /** Told how much of the body has gone, 0 to 1. */
  readonly onSent?: (share: number) => void;
};

/** Names that a path has must be given, a body where one is taken; all else as it is wanted. */
type Asked<Each extends Route> = Options & {
  readonly query?: QueryOf<Each> | undefined;
} & (keyof ParamsOf<Each> extends never
    ? { readonly params?: undefined }
    : { readonly params: ParamsOf<Each> }) &
  (undefined extends BodyOf<Each> ? { readonly body?: BodyOf<Each> } : { readonly body: BodyOf<Each> });

type Rest<Each extends Route> =
  Record<never, never> extends Asked<Each> ? [asked?: Asked<Each>] : [asked: Asked<Each>];

/** What any operation may be asked with. */
type Loose = Options & {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
};

type Page = { readonly limit: number; readonly nextCursor: string | null };

type Answer<Data, Body> = {
  readonly data: Data;
  readonly pagination: Page | null;
  /** Position up to which all events are in the answer. */
  readonly position: string | null;
  /** The whole answer. */
  readonly body: Body;
};

let onSignedOut = (): void => undefined;
/** Called when an answer says that nobody is signed in (any more). */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/** `/api/v1/calls/:callId` with its names filled, each as one segment. */
export function filled(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ""));
}

/** `{a: 1, b: undefined}` → `?a=1`. */
function queryText(values: NonNullable<Loose["query"]>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === "" ? "" : `?${text}`;
}

/** Sends a request with the cookie of the session. Throws ApiFailure. */
async function exchange(method: string, path: string, asked: Loose = {}): Promise<Response> {
  const { params, query = {}, body, raw, signal, headers = {}, onSent } = asked;
  const init = {
    method,
    headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(raw === undefined ? {} : { body: raw }),
    ...(signal === undefined ? {} : { signal }),
  };
  const answer = await send(`${filled(path, params)}${queryText(query)}`, init, onSent);
  if (answer.ok) return answer;
  if (answer.status === 401 && path !== "/api/v1/session") onSignedOut();
  throw await failureOf(answer);
}

type Init = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData | File;
  readonly signal?: AbortSignal;
};

async function send(path: string, init: Init, onSent: Options["onSent"]): Promise<Response> {
  try {
    return await (onSent === undefined
      ? fetch(path, { credentials: "same-origin", ...init })
      : sendTold(path, init, onSent));
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new ApiFailure(0, "OFFLINE", "The service does not answer", null);
  }
}

/** As `fetch`, which tells nothing until it has an answer. */
function sendTold(
  path: string,
  { method, headers, body, signal }: Init,
  onSent: (share: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onSent(loaded / total);
    request.onload = () => {
      const { status, statusText, responseText } = request;
      const told = { "X-Request-Id": request.getResponseHeader("X-Request-Id") ?? "" };
      resolve(new Response(responseText, { status, statusText, headers: told }));
    };
    request.onerror = request.onabort = () => reject(new Error("no answer"));
    signal?.addEventListener("abort", () => request.abort());
    request.send(body);
  });
}

type Refusal = Partial<Pick<ApiFailure, "code" | "message" | "details">>;

async function failureOf(answer: Response): Promise<ApiFailure> {
  // Only text, where the start of a call is refused.
  const { error }: { readonly error?: string | Refusal } = await answer.json().catch(() => ({}));
  const refusal: Refusal = typeof error === "string" ? { message: error } : (error ?? {});
  const { code = "UNKNOWN", message = answer.statusText, details = [] } = refusal;
  return new ApiFailure(answer.status, code, message, answer.headers.get("X-Request-Id"), details);
}

/** The only place where an answer gets its type: `never` fits whatever the contract says of an operation. */
async function answerTo(method: string, path: string, asked?: Loose): Promise<Answer<never, never>> {
  const answer = await exchange(method, path, asked);
  const body: { readonly data?: unknown; readonly pagination?: Page } = await answer.json().catch(() => ({}));
  const { data, pagination = null } = body;
  const position = answer.headers.get("X-Event-Position");
  return { data, pagination, position, body } as Answer<never, never>;
}

/** Asks an operation of the contract, and gives its answer with page and position. Throws ApiFailure. */
export const ask: <M extends Method, Path extends PathsOf<M>>(
  method: M,
  path: Path,
  ...rest: Rest<RouteAt<M, Path>>
) => Promise<Answer<DataOf<RouteAt<M, Path>>, AnswerOf<RouteAt<M, Path>>>> = answerTo;

/** The same, where the answer is bytes: a file or a stream. */
export const askBytes: <M extends Method, Path extends PathsOf<M>>(
  method: M,
  path: Path,
  ...rest: Rest<RouteAt<M, Path>>
) => Promise<Response> = exchange;

type RowOf<Path extends PathsOf<"GET">> =
  DataOf<RouteAt<"GET", Path>> extends readonly (infer Row)[] ? Row : never;

/** The same for a page of a list; `cursor` is empty for the first one. */
export const pageOf: <Path extends PathsOf<"GET">>(
  path: Path,
  cursor: string,
  asked: Options & {
    readonly query: QueryOf<RouteAt<"GET", Path>> | undefined;
    readonly params: ParamsOf<RouteAt<"GET", Path>> | undefined;
  },
) => Promise<Answer<readonly RowOf<Path>[], unknown>> = (path, cursor, asked: Loose) =>
  answerTo("GET", path, { ...asked, query: { ...asked.query, cursor } });

/** The same, of which only `data` is wanted. */
type AskData<M extends Method> = <Path extends PathsOf<M>>(
  path: Path,
  ...rest: Rest<RouteAt<M, Path>>
) => Promise<DataOf<RouteAt<M, Path>>>;

const dataOf =
  <M extends Method>(method: M): AskData<M> =>
  async (path: string, asked?: Loose): Promise<never> =>
    (await answerTo(method, path, asked)).data;

export const get = dataOf("GET");
export const post = dataOf("POST");
export const patch = dataOf("PATCH");
export const put = dataOf("PUT");
export const remove = dataOf("DELETE");
