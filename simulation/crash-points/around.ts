import type { CrashPoints } from "./crash-points.ts";

/**
 * Runs an effect between its two points, `<effect>.before` and `<effect>.after`. An effect that failed, or
 * changed nothing (`took`), has no after, because it cannot be told from its before.
 */
export type Around = <T>(effect: string, work: () => Promise<T>, took?: (answer: T) => boolean) => Promise<T>;

/** The effect begins in the same turn, as it does without points, unless a point holds it. */
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
