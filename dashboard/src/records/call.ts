export const CALL_STATUSES = [
  "initiating",
  "ringing",
  "connected",
  "in_progress",
  "completed",
  "failed",
] as const;
export type CallStatus = (typeof CALL_STATUSES)[number];

type Percentiles = { readonly p50: number | null; readonly p95: number | null };

export type CallRow = {
  readonly id: string;
  readonly status: CallStatus;
  readonly endReason: string | null;
  readonly endedBy: "customer" | "assistant" | "api" | "system" | null;
  readonly from: string;
  readonly to: string;
  readonly phoneNumberId: string;
  readonly assistantId: string;
  readonly assistantVersion: number;
  readonly squadId: string | null;
  readonly campaignId: string | null;
  readonly contactId: string | null;
  readonly attempt: number;
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly answeredBy: "human" | "machine" | "unknown" | null;
  readonly createdAt: string;
  readonly ringingAt: string | null;
  readonly connectedAt: string | null;
  readonly endedAt: string | null;
  readonly durationSeconds: number | null;
  readonly cost: number | null;
  readonly recordingUrl: string | null;
  /** Its texts were erased for good. */
  readonly erased: boolean;
  readonly recordingStatus: "pending" | "available" | "none" | "failed";
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly carrierCode: string | null;
  } | null;
  /** Absent in the answer of an older service. */
  readonly conversation?: {
    readonly turns: number;
    readonly interruptions: number;
    readonly handoffs: number;
    readonly toolCalls: number;
    readonly firstTokenMs: Percentiles;
    readonly firstAudioMs: Percentiles;
    readonly model: string | null;
    readonly inputTokens: number | null;
    readonly outputTokens: number | null;
    readonly sessionsLost: number;
  } | null;
};

export type Message = {
  readonly index: number;
  readonly role: "assistant" | "customer" | "tool" | "system";
  readonly assistantId: string | null;
  /** null: erased */
  readonly content: string | null;
  readonly at: string;
  readonly offsetMs: number;
  readonly kind?: string;
  readonly interrupted?: true;
  readonly intended?: string | null;
  readonly turn?: number;
  readonly timing?: { readonly firstTokenMillis: number | null; readonly firstAudioMillis: number | null };
  readonly model?: { readonly name: string };
  readonly toolName?: string;
  readonly arguments?: unknown;
  readonly result?: unknown;
  readonly isError?: boolean;
};

export type Call = CallRow & {
  readonly messages: readonly Message[];
  readonly statusHistory: readonly { readonly status: CallStatus; readonly at: string }[];
};

export const isOver = ({ status }: Pick<CallRow, "status">): boolean =>
  status === "completed" || status === "failed";

export const TONES = {
  initiating: "quiet",
  ringing: "wait",
  connected: "accent",
  in_progress: "accent",
  completed: "good",
  failed: "bad",
} as const;
