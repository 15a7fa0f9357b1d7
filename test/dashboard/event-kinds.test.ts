import { describe, expect, it } from "vitest";
import { GROUPS } from "../../dashboard/src/pages/events/kinds.ts";
import {
  CALL_TYPES,
  CAMPAIGN_TYPES,
  POLICY_TYPES,
  SQUAD_TYPES,
  SUPPRESSION_LIST_TYPES,
} from "../../domain/event-kinds.ts";

describe("the kinds of events that the log's page has words for", () => {
  it("are all that there are, each in one group", () => {
    const kinds: readonly string[] = Object.values(GROUPS).flat();
    const types = [
      ...CALL_TYPES,
      ...CAMPAIGN_TYPES,
      ...SQUAD_TYPES,
      ...POLICY_TYPES,
      ...SUPPRESSION_LIST_TYPES,
    ];
    expect(kinds.toSorted()).toEqual(types.toSorted());
  });
});
