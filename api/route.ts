import { z } from "zod";
import { PATH_PARAMETERS, type PathParams, paramsOf, type Route } from "../contract/route.ts";

type Registered<Each extends Route & { readonly operationId: PropertyKey }> = {
  readonly method: Each["method"];
  readonly url: string;
  readonly schema: Schema<Each>;
  readonly config: Omit<
    Route,
    "method" | "path" | "params" | "tag" | "summary" | "query" | "body" | "answers"
  > & { readonly bodySchema?: string };
};

type Schema<Each extends Route> = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: string[];
  readonly response: Each["answers"];
} & ([PathParams<Each["path"]>] extends [never]
  ? unknown
  : { readonly params: z.ZodType<Readonly<Record<PathParams<Each["path"]>, string>>> }) &
  (Each extends { readonly query: infer Query } ? { readonly querystring: Query } : unknown) &
  (Each extends { readonly body: infer Body } ? { readonly body: Body } : unknown);

/**
 * What fastify is told of a route of the contract: `api.route({ ...of(callRoutes.getCall), handler })`. What
 * the handler takes and answers is typed by the route.
 */
export function of<const Each extends Route & { readonly operationId: string }>(
  route: Each,
): Registered<Each> {
  const {
    method,
    path,
    params: described,
    tag,
    summary,
    description,
    query,
    body,
    answers,
    ...facts
  } = route;
  const params = paramsOf(path);
  const schema = {
    summary,
    operationId: route.operationId,
    tags: [tag],
    response: answers,
    ...(description === undefined ? {} : { description }),
    ...(params.length === 0
      ? {}
      : {
          params: z.object(
            Object.fromEntries(
              params.map((name) => [
                name,
                z.string().describe(described?.[name] ?? PATH_PARAMETERS[name] ?? ""),
              ]),
            ),
          ),
        }),
    ...(query === undefined ? {} : { querystring: query }),
    ...(body === undefined ? {} : { body }),
  };
  // A schema cannot be sent to a worker thread, the name of its operation can.
  const config = body === undefined ? facts : { ...facts, bodySchema: route.operationId };
  return { method, url: path, schema, config } as unknown as Registered<Each>;
}
