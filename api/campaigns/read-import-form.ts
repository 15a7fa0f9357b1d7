import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { ProblemDetail } from "../../application/outcome.ts";
import { beginningOf } from "../../domain/shared/storable-text.ts";
import { type BodyGates, MAX_BODY_BYTES } from "../body/raw-body.ts";
import { readBody } from "../body/read-body.ts";
import { type ApiError, validationError } from "../errors.ts";

export type ImportForm = {
  readonly file: Uint8Array<ArrayBuffer>;
  readonly settings: string | undefined;
  /** Of the file's content type; null: none. */
  readonly charset: string | null;
};

const MAX_SETTINGS_BYTES = 256 * 1024;
/** Every part is handled as a file, so that `settings` is read as sent, whatever its type. */
const LIMITS = { fileSize: MAX_BODY_BYTES, files: 11, parts: 11, headerPairs: 20 };
const MAX_SHOWN_NAME = 64;

/**
 * The parts `file` and `settings` of a multipart/form-data body. The body is read completely first, within
 * the limit and places of every body. The idempotency digest is made of the two parts, not of the boundary.
 */
export async function readImportForm(gates: BodyGates, request: FastifyRequest): Promise<ImportForm> {
  const { bytes } = await readBody(gates, request, request.raw);
  const form = await readParts(withBody(request, bytes));
  if (form.file === undefined) throw validationError("The form", [{ path: ["file"], message: "Required" }]);
  const charset = charsetOf(headersOfFile(bytes));
  request.bodyDigest = importDigest(form.settings, form.file, charset);
  return { file: form.file, settings: form.settings, charset };
}

/** Of a content type, as a header or among the headers of a part; null: it has none. */
export function charsetOf(contentType: string | undefined): string | null {
  return /\bcharset\s*=\s*"?([\w.:+-]{1,64})/i.exec(contentType ?? "")?.[1] ?? null;
}

const MOST_HEADER_BYTES = 4 * 1024;

/** The form reader tells the type of a part without its parameters. */
function headersOfFile(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const name = /^content-disposition:[^\r\n]*\bname="?file"?(?:[;\r\n]|$)/im;
  for (let start = 0; start !== -1; ) {
    const end = buffer.indexOf("\r\n\r\n", start);
    if (end === -1) return "";
    const headers = buffer.toString("latin1", Math.max(start, end - MOST_HEADER_BYTES), end);
    if (name.test(headers)) return headers;
    start = buffer.indexOf("\r\n--", end);
  }
  return "";
}

/** The form reader needs a request stream: this gives it the body that was read. */
function withBody(request: FastifyRequest, bytes: Uint8Array): FastifyRequest {
  const { headers } = request.raw;
  const raw = Object.assign(Readable.from([Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)]), {
    headers,
  });
  return Object.create(request, { raw: { value: raw } });
}

/** SHA-256 of settings and file (or of the file's own digest). */
export function importDigest(
  settings: string | undefined,
  file: Uint8Array | string,
  charset: string | null,
): string {
  return createHash("sha256")
    .update(settings ?? "")
    .update("\0")
    .update(file)
    .update(charset === null ? "" : `\0${charset}`)
    .digest("hex");
}

async function readParts(request: FastifyRequest) {
  const read = new Map<string, Uint8Array<ArrayBuffer>>();
  const problems: ProblemDetail[] = [];
  try {
    for await (const part of request.parts({ limits: LIMITS, isPartAFile: () => true })) {
      if (part.type !== "file") continue;
      const problem = problemOf(part.fieldname, read);
      if (problem === null) read.set(part.fieldname, new Uint8Array(await part.toBuffer()));
      else {
        problems.push({ path: [beginningOf(part.fieldname, MAX_SHOWN_NAME)], message: problem });
        part.file.resume();
      }
    }
  } catch {
    throw unreadable();
  }
  const settings = read.get("settings");
  if (settings !== undefined && settings.byteLength > MAX_SETTINGS_BYTES) {
    problems.push({ path: ["settings"], message: "Must take at most 256 KiB" });
  }
  if (problems.length > 0) throw validationError("The form", problems);
  return {
    file: read.get("file"),
    settings: settings === undefined ? undefined : Buffer.from(settings).toString("utf8"),
  };
}

function problemOf(name: string, read: ReadonlyMap<string, unknown>): string | null {
  if (name !== "file" && name !== "settings") return "Unknown part: the form has the parts settings and file";
  return read.has(name) ? "This part stands twice" : null;
}

/** Errors of the form reader are the client's fault. */
function unreadable(): ApiError {
  const message = "Must be a form with one file in the part file and JSON in the part settings";
  return validationError("The form", [{ path: ["file"], message }]);
}
