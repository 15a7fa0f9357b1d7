/**
 * UTF-8 (with or without BOM), else Windows-1252, which has a character for every byte. Line ends become
 * `\n`, also within cells.
 */
export function decodeCsv(bytes: Uint8Array): string {
  return decodeText(bytes).replaceAll(/\r\n?/g, "\n");
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

const DELIMITERS = [",", ";", "\t", "|"];

/** The most frequent delimiter in the header outside of quotes; a comma if there is none. */
export function delimiterOf(text: string): string {
  const counts = new Map(DELIMITERS.map((delimiter) => [delimiter, 0]));
  let quoted = false;
  for (const character of text.trimStart()) {
    if (character === '"') quoted = !quoted;
    else if (character === "\n" && !quoted) break;
    else if (!quoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  return DELIMITERS.reduce((best, next) => ((counts.get(next) ?? 0) > (counts.get(best) ?? 0) ? next : best));
}
