import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from "fastify";
import type { z } from "zod";
import type { Caller } from "../application/outcome.ts";
import type { ApiKeyScope } from "../application/ports/configuration/api-keys.ts";
import type { DocumentedCode } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { ANY_SCOPE } from "./scopes.ts";

/** Arrays of records are readonly everywhere else; answers may be as well. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** Types of what a route takes and answers come from its zod schemas. */
export interface ApiTypeProvider extends FastifyTypeProvider {
  validator: this["schema"] extends z.core.$ZodType ? z.output<this["schema"]> : unknown;
  serializer: this["schema"] extends z.core.$ZodType ? DeepReadonly<z.output<this["schema"]>> : unknown;
}

export type Api = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse<IncomingMessage>,
  FastifyBaseLogger,
  ApiTypeProvider
>;

declare module "fastify" {
  interface FastifyContextConfig {
    /** What a key needs; any: whichever key. Absent: the route lies outside /api/v1 and needs no key. */
    scope?: ApiKeyScope | typeof ANY_SCOPE;
    /** Under /api/v1, and looks after sessions itself: needs no key. */
    ownSession?: boolean;
    /** Codes beyond those that every route of its kind can answer; for the document. */
    errors?: readonly DocumentedCode[];
    /** 400 may be the seed's plain message. */
    plainErrors?: boolean;
    /** Takes an Idempotency-Key. */
    idempotent?: boolean;
    /** Takes a CSV file in place of JSON. */
    takesFile?: boolean;
    /** Answers server-sent events when asked for them. */
    streamsEvents?: boolean;
    /** Name of its body schema. */
    bodySchema?: string;
  }
  interface FastifyRequest {
    /** Set once the key is known. */
    caller: (Caller & { readonly scopes: readonly ApiKeyScope[] }) | null;
    /** Of a request by cookie. */
    sessionId: string | null;
    exchange: Exchange | null;
    /** SHA-256 of the body, or of what counts of it. */
    bodyDigest: string;
  }
}
