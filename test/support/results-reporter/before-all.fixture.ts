import { beforeAll, expect, it } from "vitest";

beforeAll(() => {
  throw new Error("nobody prepares");
});

it("is skipped", () => expect(1).toBe(1));
