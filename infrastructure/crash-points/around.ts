import type { CrashPoints } from "./crash-points.ts";

/**
 * Does the work of an effect between its two points, `<effect>.before` and `<effect>.after`. A failed effect has no after, nor has one that came to
 * nothing by its answer (`took`): nothing but its before can be told from it.
 */
export type Around = <T>(effect: string, work: () => Promise<T>, took?: (answer: T) => boolean) => Promise<T>;

/** Work begins in the same turn, as it does unwrapped, unless a point holds it. */
export function aroundEffects({ reached }: CrashPoints): Around {
  return async (effect, work, took = () => true) => {
    const before = reached(`${effect}.before`);
    if (before !== undefined) await before;
    const answer = await work();
    const after = took(answer) ? reached(`${effect}.after`) : undefined;
    if (after !== undefined) await after;
    return answer;
  };
}
