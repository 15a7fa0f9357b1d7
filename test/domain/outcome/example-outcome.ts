import type { ToolCallOutcome } from "../../../domain/call/conversation-events.ts";
import { messageOfDigits } from "../../../domain/call/conversation-rules.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import type { OutcomeSettings } from "../../../domain/outcome/settings.ts";
import { readTranscript, type Transcript } from "../../../domain/outcome/transcript.ts";
import { at, completed, connected, requested } from "../call/example-call.ts";
import { EVIDENCE } from "../call/example-conversation.ts";

const callId = "call_1" as const;
const NOBODY_WAS_ASKED = {
  status: null,
  millis: null,
  bytes: null,
  sha256: null,
  host: null,
  rows: null,
} as const;

type ToolStep = {
  readonly tool: string;
  /** Absent: a tool of the owner. */
  readonly toolId?: null;
  /** null: it has no result. */
  readonly outcome?: ToolCallOutcome | null;
  readonly shown?: string | null;
  /** false: of what we answer ourselves. */
  readonly wasAsked?: boolean;
};

/** What happens next in a conversation. Each takes the next index. */
export type Step =
  | { readonly customer: string | null; readonly turn?: number }
  | { readonly assistant: string | null; readonly heard?: string | null }
  | { readonly keys: string }
  | { readonly system: string }
  | { readonly handover: string }
  | ToolStep;

/** The events of an answered call with this conversation, until its end. */
export function callOf(steps: readonly Step[], between: readonly CallEvent[] = []): readonly CallEvent[] {
  let turn = 0;
  const said = steps.flatMap((step, index) => {
    if ("customer" in step) turn = step.turn ?? turn + 1;
    return eventsOf(step, index, turn);
  });
  return [requested, connected, ...between, ...said, completed];
}

export function transcriptOf(steps: readonly Step[]): Transcript {
  return readTranscript(callOf(steps));
}

function eventsOf(step: Step, index: number, turn: number): readonly CallEvent[] {
  const spoken = { callId, at: at(12), epoch: 1 } as const;
  if ("tool" in step) return toolEvents(step, index, turn);
  if ("handover" in step) {
    const members = { from: "ast_1", to: "ast_2", toAssistantVersion: 1, toMemberId: "mbr_2" } as const;
    const call = { toolCallId: `call_1-${index}`, toolName: step.handover, variables: {}, reason: null };
    return [
      {
        type: "CallHandedOver",
        data: { ...spoken, ...members, ...call, turn, messageIndex: index, offsetMs: 0 },
      },
    ];
  }
  if ("keys" in step) {
    const { keys: digits } = step;
    const pressed = { ...spoken, turn, digits, count: digits.length, messageIndex: index };
    return [
      { type: "CallDigitsReceived", data: pressed },
      message("customer", messageOfDigits(digits).content, index, turn),
    ];
  }
  if ("system" in step) return [message("system", step.system, index, turn)];
  if ("customer" in step) return [message("customer", step.customer, index, turn)];
  const added = message("assistant", step.assistant, index, turn);
  if (step.heard === undefined) return [added];
  const cut = { messageIndex: index, heard: step.heard, heardMillis: 1, precision: "exact" } as const;
  return [added, { type: "CallSpeechCut", data: { ...spoken, ...cut } }];
}

function message(
  role: "assistant" | "customer" | "system",
  content: string | null,
  index: number,
  turn: number,
): CallEvent {
  const told = { index, role, content, turn, assistantId: "ast_1", at: at(12), offsetMs: 0 } as const;
  return {
    type: "CallMessageAdded",
    data: { callId, message: told, carrierRef: null, sequence: null, epoch: 1, at: at(12) },
  };
}

function toolEvents(
  { tool: toolName, toolId, outcome = "answered", shown = "42", wasAsked = true }: ToolStep,
  index: number,
  turn: number,
): readonly CallEvent[] {
  const spoken = { callId, at: at(12), epoch: 1, toolCallId: `call_1-${index}` } as const;
  const asked = { toolId: toolId === null ? null : "tool_1", toolName, arguments: { n: 1 } } as const;
  const place = { turn, messageIndex: index, offsetMs: 0, assistantId: "ast_1", repeatable: true } as const;
  const evidence = wasAsked ? EVIDENCE : NOBODY_WAS_ASKED;
  const began: CallEvent = { type: "CallToolBegan", data: { ...spoken, ...asked, ...place } };
  if (outcome === null) return [began];
  return [
    began,
    { type: "CallToolEnded", data: { ...spoken, outcome, shown, isError: outcome !== "answered", evidence } },
  ];
}

/** Asked for with each type; the call succeeds when it is confirmed. */
export const OUTCOME: OutcomeSettings = {
  summary: true,
  fields: [
    { name: "confirmed", type: "boolean", description: "Whether the appointment is kept" },
    { name: "reason", type: "string", description: "Why they come" },
    { name: "price", type: "number", description: "What they would pay" },
    { name: "persons", type: "integer", description: "How many come" },
    { name: "mood", type: "enum", description: "How they sounded", values: ["glad", "angry"] },
    { name: "birthday", type: "date", description: "When they were born" },
    { name: "newTime", type: "datetime", description: "When they want to come" },
  ],
  success: { field: "confirmed", in: [true] },
};
