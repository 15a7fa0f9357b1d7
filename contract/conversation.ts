import { z } from "zod";
import type { MessageKind } from "../domain/call/conversation-events.ts";
import { anyValue, count, type DeepReadonly, idOf, instant, wholeNumber } from "./fields.ts";

const MESSAGE_KINDS = [
  "greeting",
  "answer",
  "filler",
  "prompt",
  "fallback",
  "warning",
  "handoff",
  "voicemail",
  "notice",
] as const satisfies readonly MessageKind[];

const inputTokens = count
  .nullable()
  .describe("Number of tokens that the model read; null: its server counts none");
const outputTokens = count
  .nullable()
  .describe("Number of tokens that the model wrote; null: its server counts none");

/** A message as it was heard; for a tool, with its result. */
export const callMessage = z
  .object({
    index: wholeNumber(0, 1_000_000).describe("Place in the conversation, counted from 0"),
    role: z.enum(["assistant", "customer", "tool", "system"]).describe("Who spoke, or which tool was used"),
    assistantId: idOf("ast").nullable().describe("Id of the assistant that spoke; null: not an assistant"),
    content: z.string().nullable().describe("The words, as they were heard; null: erased"),
    at: instant.describe("When it was said; ISO 8601, UTC"),
    offsetMs: z.number().describe("Milliseconds from the answer of the call"),
    kind: z.enum(MESSAGE_KINDS).exactOptional().describe("Why the assistant said it"),
    interrupted: z
      .literal(true)
      .exactOptional()
      .describe("true: not heard to its end; `content` is what was heard"),
    intended: z
      .string()
      .nullable()
      .exactOptional()
      .describe("The whole text of an interrupted message; null: erased"),
    turn: wholeNumber(0, 1_000_000)
      .exactOptional()
      .describe("Number of the customer's turn that it belongs to, counted from 1; 0: before the first"),
    language: z.string().exactOptional().describe("Language that it was said in (BCP 47)"),
    timing: z
      .object({
        firstTokenMillis: z
          .number()
          .nullable()
          .describe("Milliseconds until the model's first word; null: not known"),
        firstAudioMillis: z
          .number()
          .nullable()
          .describe("Milliseconds until the first sound; null: not known"),
      })
      .exactOptional()
      .describe("How long the customer waited for it, since the end of the turn"),
    model: z
      .object({ name: z.string().describe("Name of the model"), inputTokens, outputTokens })
      .exactOptional()
      .describe("The language model that made it"),
    toolId: z.string().exactOptional().describe("Id of the tool that was used"),
    toolName: z.string().exactOptional().describe("Name of the tool that was used"),
    arguments: anyValue.exactOptional().describe("What the tool was given: any JSON"),
    result: anyValue
      .exactOptional()
      .describe(
        "What the assistant was shown of the tool's answer: any JSON; null: nothing (yet), or erased",
      ),
    isError: z.boolean().exactOptional().describe("true: the tool failed"),
  })
  .meta({ id: "CallMessage" });

export type ShownMessage = DeepReadonly<z.infer<typeof callMessage>>;

const percentiles = (description: string) =>
  z
    .object({
      p50: count.nullable().describe("Milliseconds that half of the turns stayed within; null: not measured"),
      p95: count.nullable().describe("Milliseconds that 95 of 100 turns stayed within; null: not measured"),
    })
    .describe(description);

/** Figures about the conversation of an answered call; times in whole milliseconds. */
export const conversation = z
  .object({
    turns: count.describe("Number of turns of the customer that the assistant was asked to answer"),
    interruptions: count.describe("Number of messages that were not heard to their end"),
    handoffs: count.describe("Number of times that another assistant took over"),
    toolCalls: count.describe("Number of tools that were asked"),
    firstTokenMs: percentiles("From the end of a turn to the model's first word"),
    firstAudioMs: percentiles("From the end of a turn to the first sound"),
    model: z.string().nullable().describe("Name of the language model that answered last; null: none did"),
    inputTokens,
    outputTokens,
    sessionsLost: count.describe("Number of times that the line to the conversation was lost"),
  })
  .meta({ id: "Conversation" });

export type ConversationRecord = DeepReadonly<z.infer<typeof conversation>>;
