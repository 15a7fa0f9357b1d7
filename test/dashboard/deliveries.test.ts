import { expect, it } from "vitest";
import { askedAgainIn } from "../../dashboard/src/pages/deliveries/asked-again.ts";

it("a delivery that is on its way is asked for again within a second, one that waits for its retry is not", () => {
  expect(askedAgainIn([{ status: "delivered" }, { status: "sending" }])).toBeLessThanOrEqual(1_000);
  expect(askedAgainIn([{ status: "pending" }])).toBeLessThanOrEqual(1_000);
  expect(askedAgainIn([{ status: "retrying" }, { status: "held" }, { status: "dead" }])).toBe(5_000);
  expect(askedAgainIn([])).toBe(5_000);
});
