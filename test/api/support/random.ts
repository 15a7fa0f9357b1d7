/** Small, seeded and good enough to choose with (mulberry32). */
export type Random = {
  /** 0 ≤ x < 1. */
  next(): number;
  int(below: number): number;
  pick<T>(from: readonly T[]): T;
  chance(probability: number): boolean;
};

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (below: number) => Math.floor(next() * below);
  const pick = <T>(from: readonly T[]): T => {
    const picked = from[int(from.length)];
    if (picked === undefined) throw new Error("Nothing to pick from");
    return picked;
  };
  return { next, int, pick, chance: (probability) => next() < probability };
}
