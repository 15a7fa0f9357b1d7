import type { CreditUnits } from "../domain/shared/credits.ts";
import type { AssistantDraft } from "./ports/configuration/assistants.ts";

/** The longest ring time in seconds, unless the campaign sets another (docs/api.md §4, deadlines). */
export const DEFAULT_RING_TIMEOUT_SECONDS = 60;

/** How an assistant behaves in a conversation, where nothing is said about it (docs/api.md §3). */
export const DEFAULT_CONVERSATION = {
  model: null,
  modelConnectionId: null,
  temperature: null,
  voice: null,
  language: null,
  fallbackMessage: null,
  silenceTimeoutSeconds: 8,
  endSilenceMs: 500,
  interruptible: true,
  recording: null,
  recordingNotice: null,
  optOut: "listen",
  optOutDigit: null,
  optOutMessage: null,
  outcome: null,
  callback: null,
} as const satisfies Partial<AssistantDraft>;

/** An assistant of which only the words are given. */
export const DEFAULT_ASSISTANT: Omit<AssistantDraft, "name" | "greetingMessage" | "systemPrompt"> = {
  ...DEFAULT_CONVERSATION,
  toolIds: [],
  maxDurationSeconds: 600,
  voicemailPolicy: "hang_up",
  voicemailMessage: null,
};

export type EngineSettings = {
  readonly pricePerMinute: CreditUnits;
  /**
   * Name of this process as a holder of leases. A process that restarts with the same name takes its
   * leases back at once.
   */
  readonly processId: string;
  readonly leaseMillis: number;
  /** The longest wait: after it the wall clock is read again (docs/architecture.md §4). */
  readonly longestWaitMillis: number;
};

export const DEFAULT_LEASE_MILLIS = 7_500;
export const DEFAULT_LONGEST_WAIT_MILLIS = 15_000;
