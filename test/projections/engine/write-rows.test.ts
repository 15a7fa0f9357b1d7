import { expect, it } from "vitest";
import { isPermanent } from "../../../projections/engine/write-rows.ts";

const failure = (code: unknown) => Object.assign(new Error("failed"), { code });

it.each([
  ["a mistake of the code", new TypeError("no such field"), true],
  ["a number out of range", new RangeError("too long"), true],
  ["a text that the database cannot store", failure("22021"), true],
  ["a broken constraint", failure("23505"), true],
  ["a limit of the database", failure("54000"), true],
  ["a serialization failure", failure("40001"), false],
  ["a shutdown", failure("57P01"), false],
  ["a longer code", failure("235051"), false],
  ["a code within another", failure("x23505"), false],
  ["a code that is no text", failure(23_505), false],
  ["an error without a code", new Error("connection lost"), false],
  ["what is no error", { code: "23505" }, false],
])("takes %s for a failure of the events themselves or not: %s, %s", (_what, error, permanent) => {
  expect(isPermanent(error)).toBe(permanent);
});
