import fc from "fast-check";
import { expect, it } from "vitest";
import { findRow, noRows, withRows } from "../../../domain/campaign/contacts/rows-by-id.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";

it("finds what a map of the same ids finds, however they came", PROPERTY_TIMEOUT, () => {
  const texts = fc.string({ maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.array(texts, { maxLength: 40 })), fc.array(texts), (steps, others) => {
      const ids: string[] = [];
      const map = new Map<string, number>();
      let rows = noRows();
      for (const step of steps) {
        const first = ids.length;
        ids.push(...step);
        step.forEach((id, offset) => {
          map.set(id, first + offset);
        });
        rows = withRows(rows, ids, first);
      }
      for (const id of [...ids, ...others]) expect(findRow(rows, ids, id)).toBe(map.get(id));
    }),
    { numRuns: PROPERTY_RUNS },
  );
});
