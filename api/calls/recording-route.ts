import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { OpenRecording } from "../../application/ports/recordings.ts";
import { asFile, pathParams } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError } from "../errors.ts";
import { found, pathId } from "../ids.ts";
import { bytes } from "../schema.ts";
import { byteRange } from "./byte-range.ts";

const file = (description: string) => ({ description, content: { "audio/wav": { schema: bytes } } });

/** The recording of a call, or a part of it (docs/personal-data.md). */
export function registerRecording(api: Api, deps: ApiDeps): void {
  api.get(
    "/api/v1/calls/:callId/recording",
    {
      schema: {
        operationId: "getRecording",
        summary: "Recording of a call, as its carrier made it; takes Range and If-None-Match",
        tags: ["calls"],
        params: pathParams("callId"),
        response: {
          200: file("The recording"),
          206: file("The part that Range asked for"),
          304: z.null().describe("The recording that If-None-Match names"),
        },
      },
      config: {
        scope: "calls:read",
        errors: [
          "CALL_NOT_FOUND",
          "NOT_FOUND",
          "RANGE_NOT_SATISFIABLE",
          "RECORDING_PENDING",
          "RECORDING_UNAVAILABLE",
        ],
      },
    },
    async (request, reply) => send(request, reply, await recordingOf(deps, request)),
  );
}

async function recordingOf({ queries, recording }: ApiDeps, request: FastifyRequest): Promise<OpenRecording> {
  const { callId } = request.params as { readonly callId: string };
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

function ifRange({ headers }: FastifyRequest): string | undefined {
  const given = headers["if-range"];
  return Array.isArray(given) ? given[0] : given;
}
