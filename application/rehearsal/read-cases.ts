import type { RehearsalBody } from "../../contract/rehearsal.ts";
import type { GivenCaller, GivenTurn, RehearsalCaseBody } from "../../contract/rehearsal-case.ts";
import type { CallState } from "../../domain/call/state.ts";
import { pastCallOf } from "../../domain/rehearsal/past-call.ts";
import type {
  RehearsedCaller,
  RehearsedCase,
  ToolReply,
  WrittenTurn,
} from "../../domain/rehearsal/rehearsal.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import {
  type CallEventsDeps,
  callEvents,
  type Path,
  type Refused,
  unknownCall,
  unreadable,
  unusable,
} from "../call/analysis/call-events.ts";
import type { Aggregates } from "../log/aggregates.ts";
import { callStream } from "../log/stream-names.ts";
import { refused } from "../outcome.ts";
import { isCallId } from "../parse-id.ts";

export type ReadCasesDeps = CallEventsDeps & { readonly aggregates: Pick<Aggregates, "calls"> };

type Read<Value> = { readonly ok: true; readonly value: Value } | Refused;

/**
 * The cases as they are played, with their past calls. Refused for the first call that cannot be used:
 * CALL_NOT_FOUND at its path, CALL_NOT_ENDED, CONTENT_ERASED, or NOTHING_TO_REHEARSE (it never came to a
 * conversation).
 */
export async function readCases(
  deps: ReadCasesDeps,
  owner: OwnerId,
  body: RehearsalBody,
  now: Instant,
): Promise<Read<readonly RehearsedCase[]>> {
  const cases: RehearsedCase[] = [];
  for (const [index, given] of body.cases.entries()) {
    const refusal = await refusalOfOrigin(deps, owner, given, index);
    if (refusal !== null) return refusal;
    const caller = await readCaller(deps, owner, given.caller, index);
    if (!caller.ok) return caller;
    cases.push(rehearsedCase(body, given, caller.value, now));
  }
  return { ok: true, value: cases };
}

function rehearsedCase(
  body: RehearsalBody,
  given: RehearsalCaseBody,
  caller: RehearsedCaller,
  now: Instant,
): RehearsedCase {
  const { name = null, customData = null, timezone = null } = given.contact ?? {};
  const { greetingMessage = null, specialInstructions = null, maxTurns } = given;
  return {
    ...{ name: given.name, caller, greetingMessage, specialInstructions, maxTurns },
    at: given.at ?? (caller.kind === "past" ? caller.call.begunAt : now),
    contact: { name, customData, timezone },
    tools: repliesOf(given),
    expect: [...(given.expect ?? []), ...(body.expect ?? [])],
    passAt: given.passAt ?? body.passAt,
  };
}

function repliesOf({ tools }: RehearsalCaseBody): RehearsedCase["tools"] {
  const all = Object.entries(tools ?? {});
  return Object.fromEntries(
    all.map(([name, replies]) => [
      name,
      replies.map((reply): ToolReply => ({ ...reply, when: reply.when ?? null })),
    ]),
  );
}

async function readCaller(
  deps: ReadCasesDeps,
  owner: OwnerId,
  caller: GivenCaller,
  index: number,
): Promise<Read<RehearsedCaller>> {
  if ("says" in caller) return { ok: true, value: { kind: "written", turns: caller.says.map(writtenTurn) } };
  if ("persona" in caller) {
    const { persona, goal = null } = caller;
    return { ok: true, value: { kind: "persona", persona, goal } };
  }
  const { callId } = caller;
  const path = ["cases", index, "caller", "callId"];
  const refusal = await refusalOf(deps, callId, path, (state) => unusable(state, owner, path));
  if (refusal !== null || !isCallId(callId)) return refusal ?? unknownCall(path);
  const call = pastCallOf(await callEvents(deps, callId));
  if (call === null)
    return refused("NOTHING_TO_REHEARSE", "A call that a case names never came to a conversation");
  return { ok: true, value: { kind: "past", call } };
}

function writtenTurn(turn: GivenTurn): WrittenTurn {
  if (typeof turn === "string") return { kind: "words", text: turn };
  if ("keys" in turn) return { kind: "keys", keys: turn.keys };
  return "machine" in turn ? { kind: "machine", text: turn.machine } : { kind: "silence" };
}

/** Of the call that a case was made from: it need not be over. */
async function refusalOfOrigin(
  deps: ReadCasesDeps,
  owner: OwnerId,
  { fromCallId }: RehearsalCaseBody,
  index: number,
): Promise<Refused | null> {
  if (!fromCallId) return null;
  const path = ["cases", index, "fromCallId"];
  return refusalOf(deps, fromCallId, path, (state) => unreadable(state, owner, path));
}

/** Text that cannot be an id counts as unknown. */
async function refusalOf(
  { aggregates }: ReadCasesDeps,
  callId: string,
  path: Path,
  judge: (state: CallState) => Refused | null,
): Promise<Refused | null> {
  if (!isCallId(callId)) return unknownCall(path);
  return aggregates.calls.query(callStream(callId), judge, { fresh: true });
}
