import { expect, it } from "vitest";
import { loggedError } from "../../infrastructure/logger.ts";

it("tells kind, message, code, table and constraint, and no row that PostgreSQL repeats", () => {
  const error = Object.assign(new Error("violates a constraint"), {
    name: "error",
    code: "23514",
    table: "calls_v1",
    constraint: "refuses",
    detail: "Failing row contains (call_1, +12025550177, Zelda).",
    where: "COPY calls, line 1: +12025550177",
    query: "insert …",
    parameters: ["+12025550177"],
  });
  const told = loggedError(error);
  expect(told).toMatchObject({ message: "violates a constraint", code: "23514", table: "calls_v1" });
  expect(JSON.stringify(told)).not.toMatch(/12025550177|Zelda|insert/);
});

it("hides a number in the message itself, also in that of the cause", () => {
  const cause = new TypeError("cannot dial +12025550177 now");
  const told = loggedError(new Error("refused: +441632960961", { cause }));
  expect(JSON.stringify(told)).not.toMatch(/\d{7}/);
  expect(told).toMatchObject({ type: "Error", cause: { type: "TypeError", message: "cannot dial +… now" } });
});

it("leaves what is no error as it is", () => {
  expect(loggedError("away")).toBe("away");
});
