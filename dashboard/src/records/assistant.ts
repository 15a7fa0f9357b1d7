/** The fields that publish freezes. Optional ones are absent in the answer of an older service. */
export type AssistantDraft = {
  readonly name: string;
  readonly greetingMessage: string;
  readonly systemPrompt: string;
  readonly model: string | null;
  readonly temperature: number | null;
  readonly voice: string | null;
  readonly language: string | null;
  readonly toolIds: readonly string[];
  readonly maxDurationSeconds: number;
  readonly voicemailPolicy: "hang_up" | "leave_message" | "ignore";
  readonly voicemailMessage: string | null;
  readonly modelConnectionId?: string | null;
  readonly fallbackMessage?: string | null;
  readonly silenceTimeoutSeconds?: number;
  readonly endSilenceMs?: number;
  readonly interruptible?: boolean;
  readonly recording?: "on" | "off" | null;
  readonly recordingNotice?: string | null;
};

export type Assistant = AssistantDraft & {
  readonly id: string;
  readonly publishedVersion: number | null;
  readonly versions: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type AssistantVersion = AssistantDraft & { readonly version: number; readonly publishedAt: string };

export type DraftField = keyof AssistantDraft;
type Kind = "text" | "long" | "number" | "check" | "tools" | "choice" | "connection";

/** Every field of a draft in the order of its form, and its kind of control. */
export const DRAFT_FIELDS: readonly { readonly name: DraftField; readonly kind: Kind }[] = [
  { name: "name", kind: "text" },
  { name: "greetingMessage", kind: "long" },
  { name: "systemPrompt", kind: "long" },
  { name: "language", kind: "text" },
  { name: "voice", kind: "text" },
  { name: "model", kind: "text" },
  { name: "modelConnectionId", kind: "connection" },
  { name: "temperature", kind: "number" },
  { name: "toolIds", kind: "tools" },
  { name: "maxDurationSeconds", kind: "number" },
  { name: "voicemailPolicy", kind: "choice" },
  { name: "voicemailMessage", kind: "long" },
  { name: "fallbackMessage", kind: "long" },
  { name: "silenceTimeoutSeconds", kind: "number" },
  { name: "endSilenceMs", kind: "number" },
  { name: "interruptible", kind: "check" },
  { name: "recording", kind: "choice" },
  { name: "recordingNotice", kind: "long" },
];

export const CHOICES: Partial<Record<DraftField, readonly string[]>> = {
  voicemailPolicy: ["hang_up", "leave_message", "ignore"],
  recording: ["on", "off"],
};

/** If empty these fields are null; the others must be filled in. */
export const NULLABLE: ReadonlySet<DraftField> = new Set([
  "model",
  "modelConnectionId",
  "temperature",
  "voice",
  "language",
  "voicemailMessage",
  "fallbackMessage",
  "recording",
  "recordingNotice",
]);

/** Fields that differ between the published version and the draft; all of them if nothing is published. */
export function differences(draft: AssistantDraft, live: AssistantDraft | null): readonly DraftField[] {
  return DRAFT_FIELDS.map(({ name }) => name).filter(
    (name) => draft[name] !== undefined && JSON.stringify(draft[name]) !== JSON.stringify(live?.[name]),
  );
}
