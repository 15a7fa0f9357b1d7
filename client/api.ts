import type { z } from "zod";
import type { AnswerOf, BodyOf, DataOf, QueryOf } from "../contract/asking.ts";
import type { ErrorCode } from "../contract/errors.ts";
import type { Route } from "../contract/route.ts";
import type { Routes } from "../contract/routes.ts";
import type { WebhookEventKind } from "../domain/webhook/kinds.ts";
import type { HttpResponse, RequestParams } from "./transport.ts";

// What the client can do, by the table of routes. The package has these types in words of their own
// (declarations.ts), because nothing of the contract ships.

type AnyRoute = Routes[keyof Routes];

/** `phone numbers` → `phoneNumbers`, `API keys` → `apiKeys`. */
type Group<Tag extends string> = Tag extends `${infer First} ${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<Rest>}`
  : Tag;

type PathArguments<Path extends string> = Path extends `${string}:${string}/${infer Rest}`
  ? [string, ...PathArguments<`/${Rest}`>]
  : Path extends `${string}:${string}`
    ? [string]
    : [];

/** The parts of a form; the service reads the file as CSV. */
type FileForm = { readonly settings: string; readonly file: File };

type BodyArgument<Each> = Each extends { readonly takesFile: infer Beside }
  ? [form: Beside extends "alone" ? Pick<FileForm, "file"> : FileForm]
  : Each extends { readonly body: z.ZodType }
    ? undefined extends BodyOf<Each>
      ? [body?: BodyOf<Each> | undefined]
      : [body: BodyOf<Each>]
    : [];

type QueryArgument<Each> = Each extends { readonly query: z.ZodType }
  ? Record<never, never> extends QueryOf<Each>
    ? [query?: QueryOf<Each> | undefined]
    : [query: QueryOf<Each>]
  : [];

type Method<Each extends Route> = (
  ...args: [
    ...PathArguments<Each["path"]>,
    ...BodyArgument<Each>,
    ...QueryArgument<Each>,
    params?: RequestParams | undefined,
  ]
) => Promise<HttpResponse<AnswerOf<Each>>>;

/** One method for each operation of the API, under its tag: `client.calls.getCall(callId)`. */
export type Client = {
  readonly [Tag in AnyRoute["tag"] as Group<Tag>]: {
    readonly [Name in keyof Routes as Routes[Name]["tag"] extends Tag ? Name : never]: Method<Routes[Name]>;
  };
};

export type OwnerEvent = DataOf<Routes["listEvents"]>[number];

/** The body of a webhook; in the package `data` is told by its kind. */
export type WebhookEvent = {
  readonly event: WebhookEventKind;
  readonly data: Readonly<Record<string, unknown>>;
};

/** Of every refusal but the plain ones. */
export type Error = {
  readonly success: false;
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details?: readonly {
      readonly path: readonly (string | number)[];
      readonly message: string;
      /** With POLICY_REFUSED: when the rule allows it again. */
      readonly until?: string | null;
    }[];
  };
};
