import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from "fastify";
import type { z } from "zod";
import type { Caller } from "../application/outcome.ts";
import type { DocumentedCode } from "../contract/errors.ts";
import type { DeepReadonly } from "../contract/fields.ts";
import type { ANY_SCOPE, ApiKeyScope } from "../contract/scopes.ts";
import type { Gate } from "./body/body-gate.ts";
import type { Exchange } from "./exchange.ts";

/** Types of a route's input and answers come from its zod schemas. */
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
    /**
     * The scope that a key needs; any: every key. Absent: the route is outside of /api/v1 and needs no key.
     */
    scope?: ApiKeyScope | typeof ANY_SCOPE;
    /** Under /api/v1 without a key: the route handles sessions itself. */
    ownSession?: boolean;
    /** Codes beyond those of every route of its kind; for the document. */
    errors?: readonly DocumentedCode[];
    /** 400 may be the seed's plain message. */
    plainErrors?: boolean;
    /** Statuses that are no line of the log, of a method that may change something: a trial, a report. */
    quietAt?: readonly number[];
    /** Accepts an Idempotency-Key. */
    idempotent?: boolean;
    /** Accepts If-Match with the version that the body replaces. */
    replacesVersion?: boolean;
    /** Accepts a CSV file instead of JSON; alone: without settings beside it. */
    takesFile?: true | "alone";
    /** Of its body, where they are not 16 MiB. */
    mostBytes?: number;
    /** May answer megabytes, whatever its `limit` says. */
    answersMuch?: boolean;
    /** Sends server-sent events on request. */
    streamsEvents?: boolean;
    /** How further names of its query begin; for the document. */
    namedQuery?: string;
    /** The operation by which its body is checked; absent: it takes none. */
    bodySchema?: string;
  }
  interface FastifyInstance {
    /** Room for answers that wait in memory for their clients, in KiB. */
    answerRoom: Gate;
  }
  interface FastifyRequest {
    /** Set once the key is verified. */
    caller: (Caller & { readonly scopes: readonly ApiKeyScope[] }) | null;
    /** For a request with a cookie. */
    sessionId: string | null;
    exchange: Exchange | null;
    /** SHA-256 of the body, or of its relevant parts. */
    bodyDigest: string;
  }
}
