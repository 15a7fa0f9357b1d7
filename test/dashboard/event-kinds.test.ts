import { describe, expect, it } from "vitest";
import { GROUPS } from "../../dashboard/src/pages/events/kinds.ts";
import { ALL_TYPES } from "../../domain/event-kinds.ts";

describe("the kinds of events that the log's page has words for", () => {
  it("are all that there are, each in one group", () => {
    const kinds: readonly string[] = Object.values(GROUPS).flat();
    expect(kinds.toSorted()).toEqual([...ALL_TYPES].toSorted());
  });
});
