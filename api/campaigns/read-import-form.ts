import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { bodyRoom } from "../bodies.ts";
import { type BodyGates, MAX_BODY_BYTES, roomFor, roomToWork } from "../body/raw-body.ts";
import { ApiError, validationError } from "../errors.ts";

export type ImportForm = { readonly file: Uint8Array<ArrayBuffer>; readonly settings: string | undefined };

const LIMITS = {
  fileSize: MAX_BODY_BYTES,
  files: 1,
  fieldSize: 256 * 1024,
  fields: 10,
  parts: 11,
  headerPairs: 20,
};

/** The parts `file` and `settings` of a multipart/form-data body; the idempotency digest is made of the two, not of the boundary. */
export async function readImportForm(gates: BodyGates, request: FastifyRequest): Promise<ImportForm> {
  const announced = Number(request.headers["content-length"] ?? MAX_BODY_BYTES);
  if (announced > MAX_BODY_BYTES) throw tooLarge();
  const room = bodyRoom(gates, request);
  await roomFor(announced, room);
  const form = await readParts(request);
  await roomToWork(form.file?.byteLength ?? 0, room);
  if (form.file === undefined) throw validationError("The form", [{ path: ["file"], message: "Required" }]);
  request.bodyDigest = createHash("sha256")
    .update(form.settings ?? "")
    .update("\0")
    .update(form.file)
    .digest("hex");
  return { file: form.file, settings: form.settings };
}

async function readParts(request: FastifyRequest) {
  let file: Uint8Array<ArrayBuffer> | undefined;
  let settings: string | undefined;
  try {
    for await (const part of request.parts({ limits: LIMITS })) {
      if (part.type === "file") file = new Uint8Array(await part.toBuffer());
      else if (part.fieldname === "settings" && typeof part.value === "string") settings = part.value;
    }
  } catch (error) {
    throw asFormProblem(error);
  }
  return { file, settings };
}

/** Whatever the form reader cannot read is the sender's to mend. */
function asFormProblem(error: unknown): ApiError {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "FST_REQ_FILE_TOO_LARGE") return tooLarge();
  const message = "Must be a form with one file in the part file and JSON in the part settings";
  return validationError("The form", [{ path: ["file"], message }]);
}

function tooLarge(): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", "The body is larger than 16 MiB");
}
