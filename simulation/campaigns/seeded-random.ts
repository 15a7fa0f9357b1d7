/** Numbers from a seed: the same seed and text give the same numbers, in every run. */
export type SeededRandom = {
  /** 0 ≤ x < 1. */
  readonly fraction: () => number;
  /** Whole number, both ends included. */
  readonly between: (least: number, most: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(choices: readonly [T, ...T[]]) => T;
  /** By weight. */
  readonly weighted: <T>(choices: readonly (readonly [T, number])[], otherwise: T) => T;
};

export function seededRandom(seed: number, text = ""): SeededRandom {
  let state = mix(seed ^ 0x9e3779b9);
  for (let index = 0; index < text.length; index += 1) state = mix(state ^ text.charCodeAt(index));
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (least: number, most: number) => least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    between,
    chance: (probability) => fraction() < probability,
    pick: (choices) => choices[between(0, choices.length - 1)] ?? choices[0],
    weighted: (choices, otherwise) => {
      const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
      let left = fraction() * total;
      for (const [choice, weight] of choices) {
        left -= weight;
        if (left < 0) return choice;
      }
      return otherwise;
    },
  };
}

function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
