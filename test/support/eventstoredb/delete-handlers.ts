import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { ServerUnaryCall, sendUnaryData } from "@grpc/grpc-js";
import * as errors from "./errors.ts";
import type { EventStoreDbLog } from "./log.ts";
import { streamName } from "./proposed.ts";

type DeleteCall = ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>;
type TombstoneCall = ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>;

/**
 * Streams.Delete: nothing can be read any more, the revisions go on where they were (fact 12). Any
 * expectation is taken.
 */
export function handleDelete(log: EventStoreDbLog) {
  return (call: DeleteCall, reply: sendUnaryData<streams.DeleteResp>): void => {
    const name = streamName(call.request.getOptions()?.getStreamIdentifier()?.getStreamName_asU8());
    if (log.stream(name)?.tombstoned === true) {
      reply(errors.streamDeleted(name));
      return;
    }
    log.softDelete(name);
    reply(null, new streams.DeleteResp());
  };
}

/** Streams.Tombstone: the name is dead for ever. */
export function handleTombstone(log: EventStoreDbLog) {
  return (call: TombstoneCall, reply: sendUnaryData<streams.TombstoneResp>): void => {
    const name = streamName(call.request.getOptions()?.getStreamIdentifier()?.getStreamName_asU8());
    if (log.stream(name)?.tombstoned === true) {
      reply(errors.streamDeleted(name));
      return;
    }
    log.tombstone(name);
    reply(null, new streams.TombstoneResp());
  };
}
