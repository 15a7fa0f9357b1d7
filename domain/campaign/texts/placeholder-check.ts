import { utf8Length } from "../../shared/utf8.ts";
import {
  type CampaignTexts,
  greetingText,
  instructionsText,
  type SaidText,
  type TextValues,
  voicemailText,
} from "./personalisation.ts";
import { fillings } from "./text-template.ts";

/** Which text of the request it is: the campaign's own, or the assistant's. */
export type TextPath = readonly ["greetingMessage" | "specialInstructions" | "assistantId"];

/** Number of contacts with this problem, and the first text that has it. */
type Finding = { readonly contacts: number; readonly path: TextPath };

export type PlaceholderFindings = {
  /**
   * Placeholders without a value, or with an empty one, that have no fallback, each with its number of contacts, the largest first.
   */
  readonly unfilled:
    | (Finding & { readonly names: readonly { readonly name: string; readonly contacts: number }[] })
    | null;
  /** A value was left out, because the text would have exceeded its limit. */
  readonly tooLong: Finding | null;
  /** `{{` without its `}}`; it is spoken as it stands. */
  readonly unclosed: { readonly path: TextPath } | null;
  /** The first form of another program's placeholder (`{name}`, `%name%`): nothing fills it. */
  readonly otherForm: { readonly path: TextPath; readonly form: string } | null;
};

export type PlaceholderCheck = {
  /** False: the result cannot depend on contacts. */
  readonly readsContacts: boolean;
  readonly look: (contact: TextValues) => void;
  readonly found: () => PlaceholderFindings;
};

type CheckedText = {
  readonly said: SaidText;
  readonly path: TextPath;
  /** Number of different placeholders in the text, by spelling; without those that have a fallback. */
  readonly placeholders: number;
  /** Number of contacts for which each spelling was filled. */
  readonly filled: Map<string, number>;
  hasGap: boolean;
  hasLeftOut: boolean;
};

/**
 * Checks contacts one after the other, as their calls would fill the texts, without building the texts:
 * 10,000 contacts must be cheap.
 */
export function createPlaceholderCheck(texts: CampaignTexts): PlaceholderCheck {
  const checked = checkedTexts(texts);
  let looked = 0;
  let withGap = 0;
  let withLeftOut = 0;
  return {
    readsContacts: checked.some(
      ({ placeholders, said: { template } }) => placeholders + template.fallbacks.size > 0,
    ),
    look: (contact) => {
      looked += 1;
      const outcomes = checked.map((text) => lookAt(text, contact));
      if (outcomes.some(({ gap }) => gap)) withGap += 1;
      if (outcomes.some(({ leftOut }) => leftOut)) withLeftOut += 1;
    },
    found: () => ({
      unfilled: finding(checked, withGap, ({ hasGap }) => hasGap, { names: unfilledNames(checked, looked) }),
      tooLong: finding(checked, withLeftOut, ({ hasLeftOut }) => hasLeftOut, {}),
      unclosed: finding(checked, 0, isUnclosed, {}),
      otherForm: otherForm(checked),
    }),
  };
}

function checkedTexts(texts: CampaignTexts): readonly CheckedText[] {
  const own = texts.greetingMessage === null ? "assistantId" : "greetingMessage";
  const said = [
    [greetingText(texts), own],
    [instructionsText(texts), "specialInstructions"],
    [voicemailText(texts), "assistantId"],
  ] as const;
  return said.flatMap(([text, path]) => (text === null ? [] : [checkedText(text, path)]));
}

function checkedText(said: SaidText, path: TextPath[0]): CheckedText {
  const { spellings } = said.template;
  const placeholders = [...spellings.values()].reduce((sum, { size }) => sum + size, 0);
  return { said, path: [path], placeholders, filled: new Map(), hasGap: false, hasLeftOut: false };
}

function lookAt(text: CheckedText, contact: TextValues) {
  const { template, limit, values } = text.said;
  let filled = 0;
  let bytes = template.literalBytes;
  for (const filling of fillings(template, values(contact))) {
    if (filling.text === "") continue;
    bytes += filling.count * utf8Length(filling.text) - (filling.replaced ?? 0);
    if (filling.replaced !== null) continue;
    filled += 1;
    text.filled.set(filling.spelling, (text.filled.get(filling.spelling) ?? 0) + 1);
  }
  const outcome = { gap: filled < text.placeholders, leftOut: bytes > limit };
  text.hasGap ||= outcome.gap;
  text.hasLeftOut ||= outcome.leftOut;
  return outcome;
}

function finding<More extends object>(
  texts: readonly CheckedText[],
  contacts: number,
  isSo: (text: CheckedText) => boolean,
  more: More,
): (Finding & More) | null {
  const first = texts.find(isSo);
  return first === undefined ? null : { contacts, path: first.path, ...more };
}

function isUnclosed({ said }: CheckedText): boolean {
  return said.template.parts.some((part) => "literal" in part && part.literal.includes("{{"));
}

/**
 * `{{{x}}}`, `{% x %}`, `[[x]]`, `<<x>>`, `{x}`, `%x%`. A name in the last two is one word or a few, so that
 * JSON and percentages are none.
 */
const OTHER_FORM =
  /\{\{\{[^{}]{0,64}\}\}\}|\{%[^{}%]{0,64}%\}|\[\[[^[\]]{1,64}\]\]|<<[^<>]{1,64}>>|(?<!\{)\{ ?[\p{L}_][\p{L}\p{M}\p{N}_. -]{0,40}\}(?!\})|%[\p{L}_][\p{L}\p{M}\p{N}_]{0,40}%/u;

function otherForm(texts: readonly CheckedText[]): PlaceholderFindings["otherForm"] {
  for (const { said, path } of texts) {
    const form = OTHER_FORM.exec(said.template.source)?.[0];
    if (form !== undefined) return { path, form };
  }
  return null;
}

function unfilledNames(texts: readonly CheckedText[], looked: number) {
  const missing = new Map<string, number>();
  for (const { said, filled } of texts) {
    for (const name of [...said.template.spellings.values()].flatMap((counts) => [...counts.keys()])) {
      const without = looked - (filled.get(name) ?? 0);
      if (without > 0) missing.set(name, Math.max(without, missing.get(name) ?? 0));
    }
  }
  return [...missing]
    .map(([name, contacts]) => ({ name, contacts }))
    .sort((a, b) => b.contacts - a.contacts || (a.name < b.name ? -1 : 1));
}
