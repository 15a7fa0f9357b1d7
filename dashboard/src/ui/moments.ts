/** The form of instants in the service's sentences: in the zone of the callee, with its offset. */
const MOMENT = /\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} [+-]\d{2}:\d{2}/g;

export type Piece = { readonly text: string; readonly at: Date | null };

/** Splits a sentence into parts that together are the same text; each instant is a part. */
export function piecesOf(sentence: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: text, index } of sentence.matchAll(MOMENT)) {
    if (index > from) pieces.push({ text: sentence.slice(from, index), at: null });
    pieces.push({ text, at: instantOf(text) });
    from = index + text.length;
  }
  if (from < sentence.length) pieces.push({ text: sentence.slice(from), at: null });
  return pieces;
}

/** Whether the reader's own clock shows something else than the text does. */
export function isElsewhere({ text, at }: Piece): boolean {
  if (at === null) return false;
  const [hours = 0, minutes = 0] = text.slice(-5).split(":").map(Number);
  const offset = (text.at(-6) === "-" ? -1 : 1) * (hours * 60 + minutes);
  return -at.getTimezoneOffset() !== offset;
}

function instantOf(text: string): Date | null {
  const at = new Date(text.replace(" ", "T").replace(" ", ""));
  return Number.isNaN(at.getTime()) ? null : at;
}
