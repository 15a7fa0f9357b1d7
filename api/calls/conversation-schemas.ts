import { z } from "zod";
import type { MessageKind } from "../../domain/call/conversation-events.ts";
import { idOf, instant, wholeNumber } from "../schema.ts";

const toolValue = z.unknown();
const count = z.number().meta({ type: "integer", minimum: 0 });
const tokens = count.nullable();

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

export const callMessage = z
  .object({
    index: wholeNumber(0, 1_000_000),
    role: z.enum(["assistant", "customer", "tool", "system"]),
    assistantId: idOf("ast").nullable(),
    content: z.string().nullable(),
    at: instant,
    offsetMs: z.number(),
    kind: z.enum(MESSAGE_KINDS).optional(),
    interrupted: z.literal(true).optional(),
    intended: z.string().nullable().optional(),
    turn: wholeNumber(0, 1_000_000).optional(),
    language: z.string().optional(),
    timing: z
      .object({ firstTokenMillis: z.number().nullable(), firstAudioMillis: z.number().nullable() })
      .optional(),
    model: z.object({ name: z.string(), inputTokens: tokens, outputTokens: tokens }).optional(),
    toolId: z.string().optional(),
    toolName: z.string().optional(),
    arguments: toolValue.optional(),
    result: toolValue.optional(),
    isError: z.boolean().optional(),
  })
  .meta({ id: "CallMessage" });

const percentiles = z.object({ p50: count.nullable(), p95: count.nullable() });

export const conversation = z
  .object({
    turns: count,
    interruptions: count,
    handoffs: count,
    toolCalls: count,
    firstTokenMs: percentiles,
    firstAudioMs: percentiles,
    model: z.string().nullable(),
    inputTokens: tokens,
    outputTokens: tokens,
    sessionsLost: count,
  })
  .meta({ id: "Conversation" });
