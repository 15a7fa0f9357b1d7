import rpcCode from "@eventstore/db-client/generated/code_pb.js";
import shared from "@eventstore/db-client/generated/shared_pb.js";
import rpcStatus from "@eventstore/db-client/generated/status_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { ServerDuplexStream, ServiceError } from "@grpc/grpc-js";
import protobufAny from "google-protobuf/google/protobuf/any_pb.js";
import protobufEmpty from "google-protobuf/google/protobuf/empty_pb.js";
import { MAX_APPEND_DATA_BYTES } from "./errors.ts";
import type { AppendFault, FaultState } from "./faults.ts";
import { expectedOfBatch, proposedEvent, streamName } from "./proposed.ts";
import type { ProposedEvent } from "./records.ts";
import { refusalBefore } from "./refusals.ts";
import type { AppendRequest, WriteAnswer, Writer } from "./writer.ts";

type BatchCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;
type Pending = { readonly options: streams.BatchAppendReq.Options; readonly events: ProposedEvent[] };

/**
 * Streams.BatchAppend: many appends on one call, told apart by correlation id, refused by a
 * status in the message.
 */
export function handleBatchAppend(state: FaultState, writer: Writer, port: () => number) {
  return (call: BatchCall): void => {
    const pending = new Map<string, Pending>();
    call.on("error", () => undefined); // the client went away
    call.on("end", () => call.end());
    call.on("data", (message: streams.BatchAppendReq) => {
      const id = message.getCorrelationId()?.getString() ?? "";
      const options = message.getOptions();
      if (options !== undefined) pending.set(id, { options, events: [] });
      const batch = pending.get(id);
      if (batch === undefined) return;
      batch.events.push(...message.getProposedMessagesList().map(proposedEvent));
      if (!message.getIsFinal()) return;
      pending.delete(id);
      void answer(state, writer, call, id, batch, port());
    });
  };
}

async function answer(
  state: FaultState,
  writer: Writer,
  call: BatchCall,
  id: string,
  batch: Pending,
  port: number,
) {
  await state.answering();
  const fault = state.takeAppendFault();
  const refusal = refusalBefore(fault, port);
  if (refusal !== undefined) return void call.emit("error", refusal);
  if (fault === "no_answer") return;
  const stream = streamName(batch.options.getStreamIdentifier()?.getStreamName_asU8());
  const request: AppendRequest = { stream, expected: expectedOfBatch(batch.options), events: batch.events };
  const written = await writer.write(request);
  await state.answering();
  const broken = brokenAfter(fault, port);
  if (broken !== undefined) return void call.emit("error", broken);
  if (fault === "commit_no_answer") return;
  const response = responseTo(written, request);
  if (response === undefined) return;
  const send = (body: streams.BatchAppendResp): void => {
    if (call.writable)
      call.write(
        body.setCorrelationId(new shared.UUID().setString(id)).setStreamIdentifier(identifier(stream)),
      );
  };
  send(response);
  // A refused request is answered a second time at its deadline, which the official client
  // cannot bear (fact 1).
  if (written.kind === "bad_request") {
    const timer = setTimeout(() => send(errorResponse(timeoutStatus())), untilDeadline(batch.options));
    call.once("close", () => clearTimeout(timer));
  }
}

function brokenAfter(fault: AppendFault | undefined, port: number): ServiceError | undefined {
  return fault === "commit_unavailable" ? refusalBefore("unavailable", port) : undefined;
}

function untilDeadline(options: streams.BatchAppendReq.Options): number {
  return Math.max(0, (options.getDeadline()?.toDate().getTime() ?? Date.now() + 10_000) - Date.now());
}

function responseTo(written: WriteAnswer, request: AppendRequest): streams.BatchAppendResp | undefined {
  switch (written.kind) {
    case "written":
      return successResponse(written.revision, written.position);
    case "nothing_given":
      return successResponse(undefined, undefined);
    case "wrong_expected_version":
      return errorResponse(wrongVersionStatus(request, written.actual));
    case "stream_deleted":
      return errorResponse(
        statusOf(rpcCode.Code.FAILED_PRECONDITION, "StreamDeleted", new shared.StreamDeleted()),
      );
    case "too_large":
      return errorResponse(tooLargeStatus());
    case "bad_request":
      return errorResponse(statusOf(rpcCode.Code.INVALID_ARGUMENT, "BadRequest", new shared.BadRequest()));
    case "timed_out":
      return errorResponse(timeoutStatus());
    case "no_answer":
      return undefined;
  }
}

function successResponse(
  revision: bigint | undefined,
  position: bigint | undefined,
): streams.BatchAppendResp {
  const body = new streams.BatchAppendResp.Success();
  if (revision === undefined) body.setNoStream(new protobufEmpty.Empty());
  else body.setCurrentRevision(String(revision));
  if (position === undefined) body.setNoPosition(new protobufEmpty.Empty());
  else
    body.setPosition(
      new shared.AllStreamPosition().setCommitPosition(String(position)).setPreparePosition(String(position)),
    );
  return new streams.BatchAppendResp().setSuccess(body);
}

function errorResponse(error: rpcStatus.Status): streams.BatchAppendResp {
  return new streams.BatchAppendResp().setError(error);
}

function statusOf(
  code: rpcCode.Code,
  name: string,
  details: { serializeBinary(): Uint8Array },
): rpcStatus.Status {
  const packed = new protobufAny.Any();
  packed.pack(details.serializeBinary(), `event_store.client.${name}`);
  return new rpcStatus.Status().setCode(code).setMessage(name).setDetails(packed);
}

function timeoutStatus(): rpcStatus.Status {
  return statusOf(rpcCode.Code.DEADLINE_EXCEEDED, "Timeout", new shared.Timeout());
}

function tooLargeStatus(): rpcStatus.Status {
  const details = new shared.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_DATA_BYTES);
  return statusOf(rpcCode.Code.INVALID_ARGUMENT, "MaximumAppendSizeExceeded", details);
}

function wrongVersionStatus(request: AppendRequest, actual: bigint | null): rpcStatus.Status {
  const details = new shared.WrongExpectedVersion();
  if (actual === null) details.setCurrentNoStream(new protobufEmpty.Empty());
  else details.setCurrentStreamRevision(String(actual));
  if (typeof request.expected === "bigint") details.setExpectedStreamPosition(String(request.expected));
  else if (request.expected === "no_stream") details.setExpectedNoStream(new protobufEmpty.Empty());
  else if (request.expected === "stream_exists") details.setExpectedStreamExists(new protobufEmpty.Empty());
  else details.setExpectedAny(new protobufEmpty.Empty());
  return statusOf(rpcCode.Code.FAILED_PRECONDITION, "WrongExpectedVersion", details);
}

function identifier(stream: string): shared.StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(stream, "utf8"));
}
