import shared from "@eventstore/db-client/generated/shared_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { LogRecord } from "./records.ts";

export function eventResponse(record: LogRecord): streams.ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(record.id))
    .setStreamIdentifier(identifierOf(record.stream))
    .setStreamRevision(String(record.revision))
    .setPreparePosition(String(record.position))
    .setCommitPosition(String(record.position))
    .setCustomMetadata(record.metadata)
    .setData(record.data);
  recorded.getMetadataMap().set("type", record.type);
  recorded.getMetadataMap().set("content-type", record.contentType);
  recorded.getMetadataMap().set("created", String(record.createdTicks));
  const event = new streams.ReadResp.ReadEvent()
    .setEvent(recorded)
    .setCommitPosition(String(record.position));
  return new streams.ReadResp().setEvent(event);
}

export function confirmationResponse(subscriptionId: string): streams.ReadResp {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(subscriptionId);
  return new streams.ReadResp().setConfirmation(confirmation);
}

export function checkpointResponse(position: bigint): streams.ReadResp {
  const checkpoint = new streams.ReadResp.Checkpoint()
    .setCommitPosition(String(position))
    .setPreparePosition(String(position));
  return new streams.ReadResp().setCheckpoint(checkpoint);
}

export function caughtUpResponse(): streams.ReadResp {
  return new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());
}

export function streamNotFoundResponse(stream: string): streams.ReadResp {
  const body = new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(stream));
  return new streams.ReadResp().setStreamNotFound(body);
}

function identifierOf(stream: string): shared.StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(stream, "utf8"));
}
