/**
 * Numbers in [0, 1) that depend only on the text, so that the same call of the same seed always
 * takes the same course.
 */
export type SeededRandom = () => number;

export function seededRandom(text: string): SeededRandom {
  let state = hash(text);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value | 0;
}

export function between(random: SeededRandom, low: number, high: number): number {
  return low + random() * (high - low);
}
