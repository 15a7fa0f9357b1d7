import type { FastifyRequest } from "fastify";
import type { Api } from "./api.ts";
import type { CheckedBody } from "./body/check-json.ts";
import type { BodyChecks } from "./body/check-protocol.ts";
import { nestingWatch } from "./body/nesting.ts";
import type { BodyGates } from "./body/raw-body.ts";
import { bytesOf, ownerOf, readBody } from "./body/read-body.ts";
import { ApiError, tooManyValues, validationError } from "./errors.ts";
import { exchangeOf } from "./exchange.ts";

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json(?:\s*;.*)?$/i;

type Bodies = { readonly checks: BodyChecks; readonly gates: BodyGates };

/**
 * Bodies are read completely within their limit, then parsed and checked before the route sees them, in a
 * worker if they are large.
 */
export function registerBodies(api: Api, { checks, gates }: Bodies): void {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser(JSON_TYPE, async (request: FastifyRequest, payload: FastifyRequest["raw"]) => {
    if (request.routeOptions.config.takesFile !== undefined) throw unsupportedType(request);
    return readBody(gates, request, payload, nestingWatch());
  });
  api.addContentTypeParser("*", async (request: FastifyRequest, payload: FastifyRequest["raw"]) => {
    if (takesNone(request)) {
      payload.resume();
      return undefined;
    }
    const body = await readBody(gates, request, payload);
    if (body.bytes.byteLength === 0) return undefined;
    throw unsupportedType(request);
  });

  api.addHook("onRequest", async (request) => {
    if (takesNone(request) || sendsNone(request)) delete request.raw.headers["content-type"];
  });
  api.addHook("preValidation", async (request) => {
    const schema = request.routeOptions.config.bodySchema;
    if (schema === undefined) return;
    const bytes = bytesOf(request.body);
    request.body = accepted(
      await checks.check({ kind: "json", schema }, bytes, exchangeOf(request).signal(), ownerOf(request)),
    );
  });
}

/** A route without a body ignores one that is sent. */
function takesNone(request: FastifyRequest): boolean {
  const { bodySchema, takesFile } = request.routeOptions.config;
  return bodySchema === undefined && takesFile === undefined;
}

/** An empty body may have any content type. */
function sendsNone({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;
}

function unsupportedType({ routeOptions }: FastifyRequest): ApiError {
  const types =
    routeOptions.config.takesFile !== undefined ? "text/csv or multipart/form-data" : "application/json";
  return new ApiError("UNSUPPORTED_MEDIA_TYPE", `Send the body as ${types}`);
}

/** The checked value, or the refusal of the whole body. */
export function accepted(checked: CheckedBody): unknown {
  if (checked.ok) return checked.value;
  if (checked.kind === "invalid_json") throw new ApiError("INVALID_JSON", checked.message);
  if (checked.kind === "too_many_values") throw tooManyValues();
  throw validationError("The request body", checked.details);
}
