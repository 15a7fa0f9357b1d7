import { describe, expect, it } from "vitest";
import { assertNever, DomainError } from "../../../domain/shared/errors.ts";

describe("a refusal", () => {
  it("has a code, a message and what it is about", () => {
    const error = new DomainError("squad.handoff-end-unknown", "Both ends …", { end: "to" });
    expect(error).toMatchObject({
      name: "DomainError",
      code: "squad.handoff-end-unknown",
      details: { end: "to" },
    });
    expect(error.message).toBe("Both ends …");
    expect(new DomainError("squad.not-found", "Gone").details).toEqual({});
  });
  it("is no answer to a value that no type allows", () =>
    expect(() => assertNever("surprise" as never)).toThrow('Unexpected value: "surprise"'));
});
