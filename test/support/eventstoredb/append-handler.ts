import shared from "@eventstore/db-client/generated/shared_pb.js";
import streams from "@eventstore/db-client/generated/streams_pb.js";
import type { ServerReadableStream, ServiceError, sendUnaryData } from "@grpc/grpc-js";
import * as errors from "./errors.ts";
import type { AppendFault, FaultState } from "./faults.ts";
import { expectedOfAppend, proposedEvent, streamName } from "./proposed.ts";
import { refusalBefore } from "./refusals.ts";
import type { AppendRequest, WriteAnswer, Writer } from "./writer.ts";

type AppendCall = ServerReadableStream<streams.AppendReq, streams.AppendResp>;
type Reply = sendUnaryData<streams.AppendResp>;

/** Streams.Append, the classic path: one call per append, refused by trailers. */
export function handleAppend(state: FaultState, writer: Writer, port: () => number) {
  return (call: AppendCall, reply: Reply): void => {
    void receive(call)
      .then(async (request) => {
        await state.answering();
        const fault = state.takeAppendFault();
        const refusal = refusalBefore(fault, port());
        if (refusal !== undefined) return reply(refusal);
        if (fault === "no_answer") return;
        const answer = await answerWith(fault, request, writer, port());
        await state.answering();
        send(reply, answer, request.stream);
      })
      .catch(() => undefined); // the client went away
  };
}

type Answer = WriteAnswer | { readonly kind: "refused"; readonly error: ServiceError };

async function answerWith(
  fault: AppendFault | undefined,
  request: AppendRequest,
  writer: Writer,
  port: number,
): Promise<Answer> {
  if (fault === "wrong_version")
    return { kind: "wrong_expected_version", expected: request.expected, actual: null };
  const answer = await writer.write(request);
  if (fault === "commit_unavailable") return { kind: "refused", error: errors.unavailable() };
  if (fault === "commit_timeout") return { kind: "refused", error: errors.timedOut() };
  if (fault === "commit_no_answer") return { kind: "no_answer" };
  if (fault === "commit_wrong_version" && answer.kind === "written") {
    return { kind: "wrong_expected_version", expected: request.expected, actual: answer.revision };
  }
  return fault === "not_leader" ? { kind: "refused", error: errors.notLeader(port) } : answer;
}

async function receive(call: AppendCall): Promise<AppendRequest> {
  const events = [];
  let stream = "";
  let expected: AppendRequest["expected"] = "any";
  for await (const message of call) {
    if (!(message instanceof streams.AppendReq)) continue;
    const options = message.getOptions();
    const proposed = message.getProposedMessage();
    if (options !== undefined) {
      stream = streamName(options.getStreamIdentifier()?.getStreamName_asU8());
      expected = expectedOfAppend(options);
    }
    if (proposed !== undefined) events.push(proposedEvent(proposed));
  }
  return { stream, expected, events };
}

function send(reply: Reply, answer: Answer, stream: string): void {
  if (answer.kind === "no_answer") return;
  if (answer.kind === "written") reply(null, success(answer.revision, answer.position));
  else if (answer.kind === "nothing_given") reply(null, success(undefined, undefined));
  else if (answer.kind === "wrong_expected_version") reply(null, wrongVersion(answer));
  else reply(refusalOf(answer, stream));
}

type Refused = Exclude<
  Answer,
  { kind: "no_answer" | "written" | "nothing_given" | "wrong_expected_version" }
>;

function refusalOf(answer: Refused, stream: string): ServiceError {
  switch (answer.kind) {
    case "stream_deleted":
      return errors.streamDeleted(stream);
    case "too_large":
      return errors.appendTooLarge();
    case "bad_request":
      return errors.thrownByHandler();
    case "timed_out":
      return errors.timedOut();
    case "refused":
      return answer.error;
  }
}

function success(revision: bigint | undefined, position: bigint | undefined): streams.AppendResp {
  const body = new streams.AppendResp.Success();
  if (revision === undefined) body.setNoStream(new shared.Empty());
  else body.setCurrentRevision(String(revision));
  if (position === undefined) body.setNoPosition(new shared.Empty());
  else
    body.setPosition(
      new streams.AppendResp.Position()
        .setCommitPosition(String(position))
        .setPreparePosition(String(position)),
    );
  return new streams.AppendResp().setSuccess(body);
}

function wrongVersion(answer: Extract<WriteAnswer, { kind: "wrong_expected_version" }>): streams.AppendResp {
  const body = new streams.AppendResp.WrongExpectedVersion();
  if (answer.actual === null) body.setCurrentNoStream(new shared.Empty());
  else body.setCurrentRevision(String(answer.actual));
  if (typeof answer.expected === "bigint") body.setExpectedRevision(String(answer.expected));
  else if (answer.expected === "no_stream") body.setExpectedNoStream(new shared.Empty());
  else if (answer.expected === "stream_exists") body.setExpectedStreamExists(new shared.Empty());
  else body.setExpectedAny(new shared.Empty());
  return new streams.AppendResp().setWrongExpectedVersion(body);
}
