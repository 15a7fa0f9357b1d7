import multipart from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { listNumberRoutes, MAX_FILE_BYTES } from "../../contract/list-numbers.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { createGate } from "../body/body-gate.ts";
import { callerOf } from "../caller.ts";
import { charsetOf } from "../campaigns/read-import-form.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError, refusalError, validationError } from "../errors.ts";
import { exchangeOf } from "../exchange.ts";
import { pathId } from "../ids.ts";
import { configurationWritten } from "../positions.ts";
import { of } from "../route.ts";
import { readNumbersFile } from "./numbers-thread.ts";

/** Each has a thread and up to 100 MB; an owner has half of them. */
const AT_ONCE = 4;
const LONGEST_MILLIS = 600_000;
const FORM_LIMITS = { fileSize: MAX_FILE_BYTES + 1, files: 2, parts: 2, headerPairs: 20 };

/** A Fastify scope of its own: the file is read while it arrives. */
export function registerListNumbers(api: Api, deps: ApiDeps): void {
  api.register(async (scoped: Api) => {
    scoped.addContentTypeParser(/^text\/csv(?:\s*;.*)?$/i, async () => undefined);
    await scoped.register(multipart);
    registerRoute(scoped, deps);
  });
}

function registerRoute(api: Api, deps: ApiDeps): void {
  const gate = createGate(AT_ONCE);
  api.route({
    ...of(listNumberRoutes.replaceListNumbers),
    handler: async (request, reply) => {
      if (Number(request.headers["content-length"] ?? 0) > MAX_FILE_BYTES) throw tooLarge();
      const caller = callerOf(request);
      const listId = pathId("spl", request.params.id);
      const { defaultCountry = null, asOf = null, force } = request.query;
      const leave = gate.tryEnter(caller.owner);
      if (leave === null)
        throw new ApiError("CONCURRENCY_LIMIT_REACHED", "Too many lists are being loaded: try again later");
      const tooLong = AbortSignal.timeout(LONGEST_MILLIS);
      const signal = AbortSignal.any([exchangeOf(request).signal(), tooLong]);
      try {
        const replaced = await deps.replaceNumbers(caller, {
          ...{ listId, asOf, force: force === "true", signal },
          read: () =>
            readNumbersFile(fileOf(request, signal), { defaultCountry, charset: charsetIn(request) }),
        });
        if (!replaced.ok) throw refusalError(replaced.refusal);
        await configurationWritten(deps, reply);
        return data(replaced.value);
      } catch (error) {
        throw tooLong.aborted ? tooSlow() : error;
      } finally {
        leave();
      }
    },
  });
}

function tooLarge(): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", "The file is larger than 128 MiB");
}

function tooSlow(): ApiError {
  return new ApiError("REQUEST_TIMEOUT", "A list must be there and loaded within 10 minutes");
}

function charsetIn(request: FastifyRequest): string | null {
  return request.isMultipart() ? null : charsetOf(request.headers["content-type"]);
}

/** The bytes of the file as they arrive, to the end of the body. */
async function* fileOf(request: FastifyRequest, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const part of request.isMultipart()
    ? formFile(request)
    : request.raw.iterator({ destroyOnReturn: false })) {
    signal.throwIfAborted();
    if (!(part instanceof Uint8Array)) continue;
    length += part.length;
    if (length > MAX_FILE_BYTES) throw tooLarge();
    yield part;
  }
}

/** Of a form with the one part `file`. A form that ends too early is an error of its reader. */
async function* formFile(request: FastifyRequest): AsyncGenerator<unknown> {
  let isThere = false;
  try {
    for await (const part of request.parts({ limits: FORM_LIMITS, isPartAFile: () => true })) {
      if (part.type !== "file" || part.fieldname !== "file" || isThere) throw wrongForm();
      isThere = true;
      yield* part.file;
    }
  } catch (error) {
    throw error instanceof ApiError || !request.raw.complete ? error : wrongForm();
  } finally {
    // The form reader does not look through what is left of a form that is refused.
    if (!request.raw.complete) request.raw.unpipe().resume();
  }
  if (!isThere) throw wrongForm();
}

function wrongForm(): ApiError {
  return validationError("The form", [
    { path: ["file"], message: "Must be a form with one file, in the part file" },
  ]);
}
