import type { NumberCountry, WrittenNumber } from "../../../domain/shared/written-number.ts";

const E164 = /^\+[1-9]\d{6,14}$/;
const SEPARATORS = /[\s()./-]/g;
/** Reading one takes up to half a millisecond: between so many the page stays alive. */
const AT_ONCE = 50;

export type TypedNumber = {
  readonly read: WrittenNumber;
  /** For the API: E.164; of what is no number the text, so that the service says what is wrong with it. */
  readonly sent: string;
};

/** Loaded when it is first needed: the numbering plans of all countries are larger than a page. */
const plans = () => import("../../../domain/shared/written-number.ts");

/**
 * Numbers as people write them (`+1 (415) 555-2671`), in order; those without + as they are dialled in the
 * country (ISO 3166; "": none). Rejects when the numbering plans cannot be loaded.
 */
export async function typedNumbers(texts: readonly string[], country = ""): Promise<readonly TypedNumber[]> {
  const { isNumberCountry, readWrittenNumber } = await plans();
  const home: NumberCountry | null = isNumberCountry(country) ? country : null;
  const numbers: TypedNumber[] = [];
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    if (from > 0) await new Promise((resolve) => setTimeout(resolve));
    for (const text of texts.slice(from, from + AT_ONCE)) {
      const typed = text.trim();
      const read = readWrittenNumber(typed, home);
      numbers.push({ read, sent: read.ok ? read.value : asRefused(typed, read.reason) });
    }
  }
  return numbers;
}

/** Of one. */
export async function typedNumber(text: string): Promise<string> {
  const typed = text.trim();
  if (E164.test(typed)) return typed;
  const [number] = await typedNumbers([typed]);
  return number?.sent ?? typed;
}

/** Its length is what is wrong with it, not how it is written. */
function asRefused(typed: string, reason: string): string {
  return reason === "not_possible" ? typed.replaceAll(SEPARATORS, "") : typed;
}
