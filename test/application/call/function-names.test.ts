import { expect, it } from "vitest";
import { functionNames } from "../../../application/call/pinning/function-names.ts";

it.each([
  ["Order status", "order_status"],
  ["  Randevu Alındı Ğ!  ", "randevu_alindi_g"],
  ["end_call", "end_call"],
  ["a -- b", "a_b"],
  ["__private__", "private"],
  ["日本", "tool"],
  ["", "tool"],
  ["a".repeat(80), "a".repeat(64)],
])("makes of %j the name %j", (name, expected) => {
  expect(functionNames([name])).toEqual([expected]);
});

it("numbers what is taken already, and stays within 64 characters", () => {
  const long = "x".repeat(64);
  const names = functionNames(["Order", "order", "ORDER", "order_2", long, long], ["end_call"]);
  expect(names).toEqual(["order", "order_2", "order_3", "order_2_2", long, `${"x".repeat(62)}_2`]);
  expect(functionNames(["End call"], ["end_call"])).toEqual(["end_call_2"]);
});
