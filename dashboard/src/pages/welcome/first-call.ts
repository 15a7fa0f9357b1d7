import { ask, get, patch, post } from "../../api/request.ts";
import { ALL } from "../../records/use-list.ts";
import type { Language } from "../../texts/language.tsx";

export const SCOPES = ["phone-numbers:*", "assistants:*", "calls:write"] as const;
export const PLACEHOLDER = "{{name}}";

/** Initial texts of the assistant, by language of the callee. */
export const DEFAULTS: Readonly<
  Record<Language, { readonly name: string; readonly greeting: string; readonly prompt: string }>
> = {
  en: {
    name: "Ada",
    greeting: `Hello ${PLACEHOLDER}, this is Ada. Is now a good moment to talk?`,
    prompt: "You are Ada, a friendly assistant on the telephone. Answer in short, plain sentences.",
  },
  tr: {
    name: "Ada",
    greeting: `Merhaba ${PLACEHOLDER}, ben Ada. Şu an konuşmak için uygun musunuz?`,
    prompt: "Sen Ada'sın, telefonda konuşan güler yüzlü bir asistansın. Kısa ve sade cümlelerle yanıt ver.",
  },
};

export const DEFAULT_NUMBER = "+15005550000";

export type Wishes = {
  readonly contactName: string;
  readonly phoneNumber: string;
  readonly greeting: string;
  readonly language: Language;
};

export const STEPS = ["number", "assistant", "publish", "call"] as const;
export type Step = (typeof STEPS)[number];

/** Records that exist are kept when a step is refused: the next try continues after them. */
export type Made = { phoneNumberId?: string; assistantId?: string };

/** number → assistant → publish → call. Returns the call's id. */
export async function placeFirstCall(
  wishes: Wishes,
  made: Made,
  to: string,
  onStep: (step: Step) => void,
): Promise<string> {
  onStep("number");
  made.phoneNumberId = await numberIdOf(wishes.phoneNumber);
  onStep("assistant");
  const assistantId = await makeAssistant(wishes, made);
  onStep("publish");
  await post("/api/v1/assistants/:id/publish", { params: { id: assistantId } });
  onStep("call");
  const { body } = await ask("POST", "/api/v1/calls/outbound", {
    body: {
      phoneNumberId: made.phoneNumberId,
      assistantId,
      to,
      greetingMessage: wishes.greeting.replaceAll(PLACEHOLDER, () => wishes.contactName),
    },
  });
  return body.callId;
}

async function numberIdOf(phoneNumber: string): Promise<string> {
  const numbers = await get("/api/v1/phone-numbers", { query: ALL });
  const found = numbers.find((each) => each.phoneNumber === phoneNumber);
  return (found ?? (await post("/api/v1/phone-numbers", { body: { phoneNumber } }))).id;
}

async function makeAssistant({ greeting, language }: Wishes, made: Made): Promise<string> {
  const { name, prompt } = DEFAULTS[language];
  // The greeting also works without a name.
  const greetingMessage = greeting.replaceAll(/\s*\{\{name\}\}/g, "");
  const body = { name, greetingMessage, systemPrompt: prompt, language };
  const { assistantId: before } = made;
  const { id } = await (before === undefined
    ? post("/api/v1/assistants", { body })
    : patch("/api/v1/assistants/:id", { params: { id: before }, body }));
  made.assistantId = id;
  return id;
}
