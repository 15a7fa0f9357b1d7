import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createRetryQueue,
  peekRetry,
  popRetry,
  pushRetry,
  retriesInOrder,
} from "../../../domain/campaign/contacts/retry-queue.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../property-runs.ts";

const waiting = fc.array(fc.record({ contact: fc.nat(20), dueMillis: fc.nat(10) }), { maxLength: 60 });

describe("the queue of retries", PROPERTY_TIMEOUT, () => {
  it("is in order of due time, ties in the order of import", () => {
    const property = fc.property(waiting, (given) => {
      const queue = createRetryQueue();
      for (const { contact, dueMillis } of given) pushRetry(queue, contact, dueMillis);
      const sorted = given.toSorted((a, b) => a.dueMillis - b.dueMillis || a.contact - b.contact);
      expect([...retriesInOrder(queue)]).toEqual(sorted);
      expect(peekRetry(queue)).toEqual(sorted[0] ?? null);
      expect(given.map(() => popRetry(queue))).toEqual(sorted);
      expect(popRetry(queue)).toBeNull();
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
  });

  it("keeps what was only looked at", () => {
    const queue = createRetryQueue();
    pushRetry(queue, 1, 5);
    pushRetry(queue, 2, 3);
    expect([...retriesInOrder(queue)]).toHaveLength(2);
    expect([...retriesInOrder(queue)]).toHaveLength(2);
  });
});
