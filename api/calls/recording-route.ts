import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { OpenRecording } from "../../application/ports/recordings.ts";
import { callRoutes } from "../../contract/call.ts";
import { asFile } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError } from "../errors.ts";
import { found, pathId } from "../ids.ts";
import { of } from "../route.ts";

/** The recording of a call, or a part of it (docs/personal-data.md). */
export function registerRecording(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(callRoutes.getRecording),
    handler: async (request, reply) =>
      send(request, reply, await recordingOf(deps, request, request.params.callId)),
  });
}

async function recordingOf(
  { queries, recording }: ApiDeps,
  request: FastifyRequest,
  callId: string,
): Promise<OpenRecording> {
  const id = pathId("call", callId);
  const { recordingStatus } = found("call", await queries.call(callerOf(request).owner, id));
  if (recordingStatus === "pending")
    throw new ApiError("RECORDING_PENDING", "The carrier has not reported a recording yet");
  if (recordingStatus === "failed")
    throw new ApiError(
      "NOT_FOUND",
      "There is no recording of this call: the carrier could not make it, or it was too large to be kept",
    );
  const hearing = recordingStatus === "none" ? ({ kind: "none" } as const) : await recording(id);
  if (hearing.kind === "found") return hearing.recording;
  if (hearing.kind === "none") throw new ApiError("NOT_FOUND", "This call has no recording");
  if (hearing.kind === "pending")
    throw new ApiError("RECORDING_PENDING", "The recording is still being copied from the carrier");
  throw new ApiError(
    "RECORDING_UNAVAILABLE",
    "The recording cannot be read at present; the service's log says why",
  );
}

function send(request: FastifyRequest, reply: FastifyReply, recording: OpenRecording) {
  const { version, bytes: total, contentType } = recording;
  const tag = `"${version}"`;
  asFile(reply).headers({ ETag: tag, "Accept-Ranges": "bytes", "Cache-Control": "private, no-cache" });
  if (request.headers["if-none-match"]?.includes(tag) === true) {
    void recording.close();
    return reply.code(304).send();
  }
  const isSame = [undefined, tag].includes(ifRange(request));
  const range = byteRange(isSame ? request.headers.range : undefined, total);
  if (range.kind === "unsatisfiable") {
    void recording.close();
    const headers = { "Content-Range": `bytes */${total}` };
    throw new ApiError("RANGE_NOT_SATISFIABLE", `The recording has ${total} bytes`, { headers });
  }
  const { from, to } = range.kind === "part" ? range : { from: 0, to: total - 1 };
  if (range.kind === "part") reply.code(206).header("Content-Range", `bytes ${from}-${to}/${total}`);
  reply.type(contentType).header("Content-Length", to - from + 1);
  // Piece by piece: the next one is read when this one was sent. If the client goes away before the first
  // one, the file is closed here.
  const sound = Readable.from(recording.read(from, to), { objectMode: false, highWaterMark: 1 });
  sound.once("close", () => void recording.close());
  return reply.send(sound);
}

/** whole: no range was asked for, or one that may be ignored. Both ends are included. */
export type ByteRange =
  | { readonly kind: "whole" }
  | { readonly kind: "part"; readonly from: number; readonly to: number }
  | { readonly kind: "unsatisfiable" };

/**
 * One range of bytes (RFC 9110, 14.1.2). Several ranges get the whole file, which every client must accept.
 */
export function byteRange(header: string | undefined, bytes: number): ByteRange {
  const [, first = "", last = ""] =
    /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(" ", "") ?? "") ?? [];
  if (first === "" && last === "") return { kind: "whole" };
  if (first === "") {
    const from = Math.max(0, bytes - Number(last));
    return Number(last) === 0 || bytes === 0
      ? { kind: "unsatisfiable" }
      : { kind: "part", from, to: bytes - 1 };
  }
  const from = Number(first);
  const to = last === "" ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (last !== "" && Number(last) < from) return { kind: "whole" };
  return from >= bytes ? { kind: "unsatisfiable" } : { kind: "part", from, to };
}

function ifRange({ headers }: FastifyRequest): string | undefined {
  const given = headers["if-range"];
  return Array.isArray(given) ? given[0] : given;
}
