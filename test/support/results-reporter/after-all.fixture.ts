import { afterAll, expect, it } from "vitest";

afterAll(() => {
  throw new Error("nobody cleans up");
});

it("passes", () => expect(1).toBe(1));

it.skip("is skipped", () => expect(1).toBe(1));
