import type { ModelRequest, WantedAnswer } from "../../application/ports/language-model.ts";
import { foldedWords, spokenIntents } from "../../domain/conversation/intents/spoken-intents.ts";
import type { OutcomeField } from "../../domain/outcome/settings.ts";
import type { Transcript, TranscriptMessage } from "../../domain/outcome/transcript.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { SpokenLanguage } from "./phrases.ts";
import { spokenLanguage } from "./situation.ts";
import { languageOf, sharesWords, tellingWords } from "./words.ts";

type Found = { readonly value: boolean | string | null; readonly messages: readonly number[] };
const NOTHING: Found = { value: null, messages: [] };

/**
 * What a call brought home, as far as rules can say: yes or no to a question about it, a value that the
 * customer named; nothing else. What was said last counts.
 */
export function scriptedOutcome(
  { outcome: { summary, fields }, transcript }: WantedAnswer,
  given: ModelRequest["language"],
): JsonObject {
  const texts = transcript.messages.map(({ content }) => content).reverse();
  const language = given == null ? languageOf(texts) : spokenLanguage(given);
  return {
    ...(summary ? { summary: summaryOf(transcript, language) } : {}),
    fields: Object.fromEntries(
      fields.map((field) => [field.name, found(field, transcript.messages, language)]),
    ),
  };
}

function found(
  field: OutcomeField,
  messages: readonly TranscriptMessage[],
  language: SpokenLanguage,
): JsonObject {
  if (field.type === "boolean") return { ...yesOrNo(field, messages, language) };
  if (field.type === "enum") return { ...named(field, messages) };
  return { ...NOTHING };
}

function yesOrNo(
  { description }: OutcomeField,
  messages: readonly TranscriptMessage[],
  language: SpokenLanguage,
): Found {
  const about = tellingWords(description, language);
  let isAsked = false;
  let answer = NOTHING;
  for (const { index, role, content, proves } of messages) {
    if (role === "assistant") isAsked = sharesWords(about, tellingWords(content, language));
    if (role !== "customer" || !isAsked || !proves) continue;
    const meant = spokenIntents(content);
    if (meant.has("no")) answer = { value: false, messages: [index] };
    else if (meant.has("yes") && !meant.has("another_time")) answer = { value: true, messages: [index] };
  }
  return answer;
}

/** The longest value first: `two people` is not `people`. */
function named({ values = [] }: OutcomeField, messages: readonly TranscriptMessage[]): Found {
  const longestFirst = values.toSorted((one, other) => other.length - one.length);
  const said = messages.filter(({ role, proves }) => role === "customer" && proves).reverse();
  for (const { index, content } of said) {
    const words = foldedWords(content);
    const value = longestFirst.find((each) => words.includes(foldedWords(each)));
    if (value !== undefined) return { value, messages: [index] };
  }
  return NOTHING;
}

function summaryOf({ contactName, to, turns, endReason }: Transcript, language: SpokenLanguage): string {
  const who = contactName ?? to ?? "?";
  const end = (endReason ?? "?").replaceAll("_", " ");
  return language === "tr"
    ? `${who} arandı. ${turns} kez konuştu. Aramanın bitişi: ${end}.`
    : `${who} was called and spoke ${turns === 1 ? "once" : `${turns} times`}. How the call ended: ${end}.`;
}
