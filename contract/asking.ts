import type { z } from "zod";
import type { DeepReadonly } from "./fields.ts";
import type { PathParams, Route } from "./route.ts";
import type { Routes } from "./routes.ts";

// What somebody who asks the API sends and gets, by the table of routes. Types only: no zod in a browser.

type AnyRoute = Routes[keyof Routes];

/** The route with this method and path. */
export type RouteAt<Method extends Route["method"], Path> = Extract<
  AnyRoute,
  { readonly method: Method; readonly path: Path }
>;

/** Paths that take this method. */
export type PathsOf<Method extends Route["method"]> = Extract<AnyRoute, { readonly method: Method }>["path"];

/** A value of a query: where any text is taken, a number or a truth is too. */
type QueryValue<Value> = string extends Value ? Value | number | boolean : Value;

export type QueryOf<Each> = Each extends { readonly query: infer Query extends z.ZodType }
  ? { readonly [Name in keyof z.input<Query>]: QueryValue<z.input<Query>[Name]> } & NamedQueryOf<Each>
  : undefined;

type NamedQueryOf<Each> = Each extends { readonly namedQuery: infer Prefix extends string }
  ? { readonly [Name in `${Prefix}${string}`]?: QueryValue<string> }
  : unknown;

/** undefined: it takes none. */
export type BodyOf<Each> = Each extends { readonly body: infer Body extends z.ZodType }
  ? DeepReadonly<z.input<Body>>
  : undefined;

type Successes<Each extends Route> = Each extends unknown
  ? Each["answers"][keyof Each["answers"] & (200 | 201 | 202)]
  : never;

/** JSON unless the other one is asked for. */
type JsonOrFile<Json extends z.ZodType> = {
  readonly content: { readonly "application/json": { readonly schema: Json } };
};

/** The whole body of a success; a stream of bytes where it is a file. */
export type AnswerOf<Each extends Route> =
  Successes<Each> extends infer Success
    ? Success extends z.ZodType
      ? DeepReadonly<z.output<Success>>
      : Success extends JsonOrFile<infer Json>
        ? DeepReadonly<z.output<Json>>
        : ReadableStream<Uint8Array>
    : never;

/** The `data` of a success; of each where there are several. */
export type DataOf<Each extends Route> =
  AnswerOf<Each> extends infer Success
    ? Success extends { readonly data: infer Data }
      ? Data
      : never
    : never;

export type ParamsOf<Each extends Route> = Readonly<Record<PathParams<Each["path"]>, string>>;
