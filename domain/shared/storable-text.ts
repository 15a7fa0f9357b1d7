/**
 * A text of a foreign side as every store keeps it: NUL and halves of a character (lone surrogates) become
 * U+FFFD. Each edge uses it where such a text comes in, so that no append is refused later.
 */
export function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  // Of a million of them `replaceAll` takes twice as long.
  return whole.includes("\u0000") ? whole.split("\u0000").join("\ufffd") : whole;
}

/**
 * The same for every text in a plain value, also for keys. Costs the size of the value, which its edge has
 * bounded.
 */
export function storable<Value>(value: Value): Value {
  return cleaned(value) as Value;
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cleaned);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [storableText(key), cleaned(member)]),
  );
}

/**
 * At most so many UTF-16 units from the beginning of a text. A character of two units is taken whole or not
 * at all: the one way in which this service cuts texts.
 */
export function beginningOf(text: string, units: number): string {
  if (text.length <= units) return text;
  return text.slice(0, splitsCharacter(text, units) ? units - 1 : units);
}

/** As `beginningOf`, from the end. */
export function endOf(text: string, units: number): string {
  const from = Math.max(0, text.length - units);
  return text.slice(splitsCharacter(text, from) ? from + 1 : from);
}

/** Between the two units at this place is the middle of a character. */
function splitsCharacter(text: string, place: number): boolean {
  const before = text.charCodeAt(place - 1);
  const after = text.charCodeAt(place);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
