import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
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

const PIECE_BYTES = 1024 * 1024;
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
  const boundary = boundaryOf(request.headers["content-type"]);
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (boundary === null || hasTooManyParts(body, boundary)) throw unreadable();
  const form = await readParts(withBody(request, body, boundary));
  if (form.file === undefined) throw validationError("The form", [{ path: ["file"], message: "Required" }]);
  const charset = charsetOf(headersOfFile(body, boundary));
  request.bodyDigest = importDigest(form.settings, form.file, charset);
  return { file: form.file, settings: form.settings, charset };
}

/** Of a content type, as a header or among the headers of a part; null: it has none. */
export function charsetOf(contentType: string | undefined): string | null {
  return /\bcharset\s*=\s*"?([\w.:+-]{1,64})/i.exec(contentType ?? "")?.[1] ?? null;
}

/** As RFC 2046 has it; null: none. */
function boundaryOf(contentType = ""): string | null {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i.exec(contentType) ?? [];
  return quoted ?? plain ?? null;
}

/**
 * The form reader finds its limit of parts, and goes through the rest of the body all the same: one of
 * nothing but boundaries would keep it for seconds.
 */
function hasTooManyParts(body: Buffer, boundary: string): boolean {
  let boundaries = 0;
  for (let at = nextPart(body, boundary, 0); at !== -1; at = nextPart(body, boundary, at + 1)) {
    boundaries += 1;
    if (boundaries > LIMITS.parts + 1) return true;
  }
  return false;
}

function nextPart(body: Buffer, boundary: string, from: number): number {
  return body.indexOf(`\r\n--${boundary}`, from, "latin1");
}

const MOST_HEADER_BYTES = 4 * 1024;

/** The form reader tells the type of a part without its parameters. */
function headersOfFile(body: Buffer, boundary: string): string {
  const name = /^content-disposition:[^\r\n]*\bname="?file"?(?:[;\r\n]|$)/im;
  for (let start = 0; start !== -1; ) {
    const end = body.indexOf("\r\n\r\n", start);
    if (end === -1) return "";
    const headers = body.toString("latin1", Math.max(start, end - MOST_HEADER_BYTES), end);
    if (name.test(headers)) return headers;
    start = nextPart(body, boundary, end);
  }
  return "";
}

/** The form reader needs a request stream: this gives it the body that was read, and the boundary we know. */
function withBody(request: FastifyRequest, body: Buffer, boundary: string): FastifyRequest {
  const headers = { ...request.headers, "content-type": `multipart/form-data; boundary="${boundary}"` };
  const raw = Object.assign(Readable.from(piecesOf(body)), { headers });
  return Object.create(request, { raw: { value: raw } });
}

/** Between two pieces other requests get a turn of the event loop. */
async function* piecesOf(body: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < body.length; from += PIECE_BYTES) {
    yield body.subarray(from, from + PIECE_BYTES);
    await setImmediate();
  }
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
