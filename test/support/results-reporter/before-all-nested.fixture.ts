import { beforeAll, describe, expect, it } from "vitest";

it("passes beside it", () => expect(1).toBe(1));

describe("a suite in a suite", () => {
  describe("whose preparation fails", () => {
    beforeAll(() => {
      throw new Error("nobody prepares the inner ones");
    });

    it("is skipped", () => expect(1).toBe(1));
  });
});
