import { describe, expect, it } from "vitest";
import { STATUS_OF } from "../../contract/errors.ts";
import { en } from "../../dashboard/src/texts/errors/en.ts";

/** What goes wrong without an answer of the service. */
const OF_THE_PAGE = ["OFFLINE", "UNKNOWN"];

describe("what an error says to whoever reads a page", () => {
  it("has a sentence for every code of the API, and for none that is not there", () => {
    expect(Object.keys(en).toSorted()).toEqual([...Object.keys(STATUS_OF), ...OF_THE_PAGE].toSorted());
  });
});
