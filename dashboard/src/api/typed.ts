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
import { type Answer, query, type RequestOptions, request } from "./request.ts";

type Method = Route["method"];

/** Names that a path has must be given, a body where one is taken; all else as it is wanted. */
export type Asked<Each extends Route> = Omit<RequestOptions, "body"> & {
  readonly query?: QueryOf<Each> | undefined;
} & (keyof ParamsOf<Each> extends never
    ? { readonly params?: undefined }
    : { readonly params: ParamsOf<Each> }) &
  (undefined extends BodyOf<Each> ? { readonly body?: BodyOf<Each> } : { readonly body: BodyOf<Each> });

type Rest<Each extends Route> =
  Record<never, never> extends Asked<Each> ? [asked?: Asked<Each>] : [asked: Asked<Each>];

/** `/api/v1/calls/:callId` with its names filled, each as one segment. */
export function filled(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ""));
}

type Loose = RequestOptions & {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Parameters<typeof query>[0] | undefined;
};

type WithBody<Data, Body> = Omit<Answer<Data>, "body"> & { readonly body: Body };
type Whole<Each extends Route> = WithBody<DataOf<Each>, AnswerOf<Each>>;

/** Asks an operation of the contract, and gives its answer with page and position. Throws ApiFailure. */
export const ask = send as <M extends Method, Path extends PathsOf<M>>(
  method: M,
  path: Path,
  ...rest: Rest<RouteAt<M, Path>>
) => Promise<Whole<RouteAt<M, Path>>>;

function send(method: string, path: string, asked: Loose = {}): Promise<WithBody<never, unknown>> {
  const { params, query: wanted = {}, ...options } = asked;
  return request(method, `${filled(path, params)}${query(wanted)}`, options);
}

/** The same, of which only `data` is wanted. */
type AskData<M extends Method> = <Path extends PathsOf<M>>(
  path: Path,
  ...rest: Rest<RouteAt<M, Path>>
) => Promise<DataOf<RouteAt<M, Path>>>;

const dataOf =
  <M extends Method>(method: M): AskData<M> =>
  async (path: string, asked?: Loose): Promise<never> =>
    (await send(method, path, asked)).data;

export const get = dataOf("GET");
export const post = dataOf("POST");
export const patch = dataOf("PATCH");
export const put = dataOf("PUT");
export const remove = dataOf("DELETE");
