import type { BodyOf, RouteAt } from "../../../contract/asking.ts";
import type { AssistantRecord, AssistantVersionRecord } from "../../../contract/assistant.ts";

/** The fields that publish freezes. */
export type AssistantDraft = Omit<AssistantVersionRecord, "assistantId" | "version" | "publishedAt">;
/** Those of the form; `outcome` has a form of its own. */
export type DraftField = Exclude<keyof AssistantDraft, "outcome">;
type Kind = "text" | "long" | "number" | "check" | "tools" | "choice" | "connection" | "callback";

/** Every field of a draft in the order of its form, and its control; an empty one "or null" is null. */
const CONTROLS: {
  readonly [Field in DraftField]: null extends AssistantDraft[Field]
    ? readonly [Kind, "or null"]
    : readonly [Kind];
} = {
  name: ["text"],
  greetingMessage: ["long"],
  systemPrompt: ["long"],
  language: ["text", "or null"],
  voice: ["text", "or null"],
  model: ["text", "or null"],
  modelConnectionId: ["connection", "or null"],
  temperature: ["number", "or null"],
  toolIds: ["tools"],
  maxDurationSeconds: ["number"],
  voicemailPolicy: ["choice"],
  voicemailMessage: ["long", "or null"],
  fallbackMessage: ["long", "or null"],
  silenceTimeoutSeconds: ["number"],
  endSilenceMs: ["number"],
  interruptible: ["check"],
  recording: ["choice", "or null"],
  recordingNotice: ["long", "or null"],
  optOut: ["choice"],
  optOutDigit: ["text", "or null"],
  optOutMessage: ["long", "or null"],
  callback: ["callback", "or null"],
};

const isDraftField = (name: string): name is DraftField => name in CONTROLS;

const DRAFT_FIELDS = Object.entries(CONTROLS).flatMap(([name, [kind, orNull]]) =>
  isDraftField(name) ? [{ name, kind, isRequired: orNull === undefined }] : [],
);

/** The fields that a draft has: a service of before the last release leaves the newest out. */
export const fieldsOf = (draft: AssistantDraft) =>
  DRAFT_FIELDS.filter(({ name }) => draft[name] !== undefined);

/** Whether its calls can be asked for something: not by a service of before that release. */
export const asksOf = (draft: AssistantDraft): boolean => draft.outcome !== undefined;

export const CHOICES: { readonly [Field in DraftField]?: readonly AssistantDraft[Field][] } = {
  voicemailPolicy: ["hang_up", "leave_message", "ignore"],
  recording: ["on", "off"],
  optOut: ["listen", "off"],
};

/** Fields that differ between the published version and the draft; all of them if nothing is published. */
export function differences(
  draft: AssistantDraft,
  live: AssistantDraft | null,
): readonly (keyof AssistantDraft)[] {
  return [
    ...fieldsOf(draft).map(({ name }) => name),
    ...(asksOf(draft) ? (["outcome"] as const) : []),
  ].filter((name) => JSON.stringify(draft[name]) !== JSON.stringify(live?.[name]));
}

/** The fields of the form that differ from the draft; only these are sent, and the service checks them. */
export function changesOf(
  assistant: AssistantRecord,
  fields: FormData,
): BodyOf<RouteAt<"PATCH", "/api/v1/assistants/:id">> {
  const values = fieldsOf(assistant).map(({ name, kind, isRequired }) => {
    if (kind === "check") return { name, value: fields.has(name) };
    if (kind === "tools") return { name, value: fields.getAll(name).map(String) };
    if (kind === "callback") return { name, value: fields.has(name) ? callbackOf(fields) : null };
    const text = String(fields.get(name) ?? "");
    if (text === "" && !isRequired) return { name, value: null };
    return { name, value: kind === "number" ? Number(text) : text };
  });
  const changed = values.filter(
    ({ name, value }) => JSON.stringify(value) !== JSON.stringify(assistant[name]),
  );
  return Object.fromEntries(changed.map(({ name, value }) => [name, value]));
}

/** What is no number of the range is sent as it is: the service refuses it. */
function callbackOf(fields: FormData) {
  const limit = (name: string) => Number(fields.get(`callback.${name}`));
  return { maxDays: limit("maxDays"), maxPerContact: limit("maxPerContact") };
}
