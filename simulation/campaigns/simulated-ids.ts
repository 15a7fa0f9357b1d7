import type { Ids } from "../../application/ports/ids.ts";
import type { IdOf } from "../../domain/shared/ids.ts";

/**
 * Sequential ids: the same run draws the same ones. Processes of one world share the counter, so that
 * none is drawn twice.
 */
export function createSimulatedIds(): Ids {
  let count = 0;
  const draw = () => {
    count += 1;
    return count.toString(36).padStart(8, "0");
  };
  return {
    next: <Prefix extends keyof IdOf>(prefix: Prefix): IdOf[Prefix] => {
      const made: string = `${prefix}_${draw()}`;
      return made as IdOf[Prefix];
    },
    uuid: () => `id-${draw()}`,
    derivedUuid: (text) => `of-${text}`,
  };
}
