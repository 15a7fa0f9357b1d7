import { z } from "zod";
import { beginningOf, storableText } from "../../../domain/shared/storable-text.ts";

/** The most digits of one frame, and characters of one turn. */
const MAX_WORDS = 8_192;

function words(text: string): string {
  return beginningOf(storableText(text), MAX_WORDS);
}

const parameters = z.record(z.string().max(128), z.unknown());

const setup = z.object({
  type: z.literal("setup"),
  callSid: z.string().max(128).transform(storableText),
  customParameters: parameters.optional(),
});
const prompt = z.object({
  type: z.literal("prompt"),
  voicePrompt: z.string().transform(words),
  lang: z.string().max(35).transform(storableText).optional(),
  last: z.boolean().default(true),
});
const dtmf = z.object({ type: z.literal("dtmf"), digit: z.string().regex(/^[0-9*#A-D]$/) });
const interrupt = z.object({
  type: z.literal("interrupt"),
  utteranceUntilInterrupt: z.string().default("").transform(words),
  /** Some send a number, some a text of digits. */
  durationUntilInterruptMs: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d+(\.\d+)?$/)
        .transform(Number),
    ])
    .pipe(z.number().min(0).max(3_600_000))
    .optional(),
});
const fault = z.object({ type: z.literal("error"), description: z.string().default("") });
/** Only from the simulated callee: a machine answered, and its greeting is over. */
const machine = z.object({ type: z.literal("machine"), greetingEnded: z.boolean() });

const known = z.discriminatedUnion("type", [setup, prompt, dtmf, interrupt, fault, machine]);
const anything = z.object({ type: z.string() });

export type RelayFrame = z.infer<typeof known>;
export type SetupFrame = Extract<RelayFrame, { type: "setup" }>;

/** unknown: a type that we do not know, ignored. malformed: not a frame. */
export function parseFrame(text: string): RelayFrame | "unknown" | "malformed" {
  const value = parsed(text);
  const frame = known.safeParse(value);
  if (frame.success) return frame.data;
  const named = anything.safeParse(value);
  return named.success && !KNOWN_TYPES.has(named.data.type) ? "unknown" : "malformed";
}

const KNOWN_TYPES = new Set(["setup", "prompt", "dtmf", "interrupt", "error", "machine"]);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * Frames that we send. `end` ends the session; handoffData is returned to the carrier that opened the relay.
 */
export type SentFrame =
  | {
      readonly type: "text";
      readonly token: string;
      readonly last: boolean;
      readonly interruptible: boolean;
      readonly lang?: string;
    }
  | { readonly type: "end"; readonly handoffData?: string };
