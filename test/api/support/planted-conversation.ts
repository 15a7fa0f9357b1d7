import type { CallEvent } from "../../../domain/call/events.ts";
import type { AssistantId, CallId, OwnerId } from "../../../domain/shared/ids.ts";
import { type Instant, instantFromMillis } from "../../../domain/shared/instant.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import {
  callbackAgreed,
  callEnd,
  callRequest,
  connected,
  cut,
  dialingBegan,
  digits,
  keys,
  NO_EVIDENCE,
  ringing,
  sessionBegan,
  sessionEnded,
  spoken,
  talking,
} from "../../projections/example-events.ts";

/** Every place of a conversation's events that holds words. */
export const PLACES = [
  "greeting",
  "instructions",
  "voicemail",
  "heard",
  "intended",
  "customer",
  "oldarguments",
  "oldresult",
  "arguments",
  "shown",
  "digits",
  "keys",
  "variables",
  "reason",
  "instead",
  "note",
  "value",
  "summary",
] as const;

/**
 * A call that was talked on and has ended, with a word of its own in each of the places: the mark
 * and the place's name.
 */
export function plantedConversation(
  mark: string,
  { callId, owner, now }: { readonly callId: CallId; readonly owner: OwnerId; readonly now: number },
): readonly CallEvent[] {
  const word = (place: (typeof PLACES)[number]) => `${mark}${place}`;
  const at = instantFromMillis(now);
  const place = { callId, at, epoch: 1 } as const;
  const carrierRef = `ref-${callId}`;
  const turn = 1;
  const offsetMs = 20;
  const request = callRequest({ callId, owner, campaignId: null, contactId: null, attempt: 1, at });
  const assistantId = systemIds.next("ast");
  const to = systemIds.next("ast");
  const made = {
    phoneNumberId: systemIds.next("pn"),
    assistant: { ...request.data.assistant, assistantId },
    greetingMessage: word("greeting"),
    specialInstructions: word("instructions"),
    voicemailMessage: word("voicemail"),
  };
  return [
    { ...request, data: { ...request.data, ...made } },
    dialingBegan(callId, at),
    ringing(callId, at, carrierRef),
    connected(callId, at, carrierRef),
    sessionBegan(place, null),
    talking(callId, at, carrierRef),
    spoken(place, {
      index: 0,
      role: "assistant",
      content: `${word("heard")} and ${word("intended")}`,
      turn,
      assistantId,
    }),
    cut(place, 0, word("heard")),
    spoken(place, { index: 1, role: "customer", content: word("customer"), turn }),
    spoken(place, {
      ...{ index: 2, role: "tool", content: "asked", toolName: "old", assistantId },
      arguments: { topic: word("oldarguments") },
      result: [word("oldresult")],
    }),
    {
      type: "CallToolBegan",
      data: {
        ...{
          ...place,
          turn,
          messageIndex: 3,
          offsetMs,
          toolCallId: `${callId}-1`,
          toolId: systemIds.next("tool"),
        },
        ...{ toolName: "look_up", assistantId, repeatable: true },
        arguments: { deep: { order: word("arguments") } },
      },
    },
    {
      type: "CallToolEnded",
      data: {
        ...{ ...place, toolCallId: `${callId}-1`, outcome: "answered", isError: false },
        ...{ shown: word("shown"), evidence: NO_EVIDENCE },
      },
    },
    digits(place, turn, word("digits")),
    ...keys(place, { index: 4, turn }, word("keys")),
    {
      type: "CallHandedOver",
      data: {
        ...{ ...place, turn, messageIndex: 5, offsetMs, from: assistantId, to, toAssistantVersion: 3 },
        ...{ toMemberId: systemIds.next("mbr"), toolCallId: `${callId}-2`, toolName: "to_sales" },
        variables: { topic: word("variables") },
        reason: word("reason"),
      },
    },
    {
      type: "CallTurnFailed",
      data: { ...place, turn, kind: "model_timeout", saidInstead: word("instead") },
    },
    callbackAgreed(place, 1, { asked: "2026-12-01T10:00", callbackAt: null, note: word("note") }),
    callEnd(callId, at, "customer_ended", 30),
    sessionEnded(place, "hung_up"),
    ...analysed({ callId, at }, assistantId, { topic: word("value") }, word("summary")),
    {
      type: "CallRecordingAvailable",
      data: { callId, at, status: "available", recordingRef: "rec-1", carrierRef, sequence: 9 },
    },
  ];
}

/** What the call brought home, proven by what the customer said. */
function analysed(
  of: { readonly callId: CallId; readonly at: Instant },
  assistantId: AssistantId,
  fields: Readonly<Record<string, string>>,
  summary: string,
): readonly CallEvent[] {
  const analysisId = systemIds.derivedUuid(`${of.callId}:outcome`);
  const asked = { assistantId, assistantVersion: 1, schemaHash: "a".repeat(64), by: "engine" };
  const evidence = Object.fromEntries(Object.keys(fields).map((name) => [name, [1]]));
  return [
    { type: "CallAnalysisRequested", data: { ...of, analysisId, ...asked } },
    {
      type: "CallAnalysed",
      data: {
        ...{ ...of, analysisId, fields, evidence, unsupported: [], enums: Object.keys(fields), summary },
        ...{ success: true, truncated: false },
        model: { name: "scripted", inputTokens: null, outputTokens: null },
      },
    },
  ];
}
