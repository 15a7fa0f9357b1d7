import type { AppendReq, BatchAppendReq } from "@eventstore/db-client/generated/streams_pb.js";
import type { Expected, ProposedEvent } from "./records.ts";

/** The fields that Append and BatchAppend spell alike. */
export function proposedEvent(
  message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage,
): ProposedEvent {
  return {
    id: message.getId()?.getString() ?? "",
    type: message.getMetadataMap().get("type") ?? "",
    contentType: message.getMetadataMap().get("content-type") ?? "",
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

export function streamName(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString("utf8");
}

export function expectedOfAppend(options: AppendReq.Options): Expected {
  if (options.hasRevision()) return BigInt(options.getRevision());
  if (options.hasNoStream()) return "no_stream";
  return options.hasStreamExists() ? "stream_exists" : "any";
}

export function expectedOfBatch(options: BatchAppendReq.Options): Expected {
  if (options.hasStreamPosition()) return BigInt(options.getStreamPosition());
  if (options.hasNoStream()) return "no_stream";
  return options.hasStreamExists() ? "stream_exists" : "any";
}
