import { expect, it } from "vitest";
import { countRefusal } from "../../../infrastructure/carriers/count-refusal.ts";

it.each([
  ["busy", "486", null, "486"],
  ["carrier_error", "Q.850 3", null, "other"],
  ["carrier_error", "699", null, "other"],
  ["no_answer", null, null, undefined],
  ["canceled", "487", null, undefined],
  ["not_placed", "Q.850 8", null, undefined],
  ["connection_lost", "503", "2026-09-01T10:00:00.000Z", undefined],
] as const)(
  "an end as %s with %j, answered at %j, counts as %s",
  (endReason, carrierCode, answeredAt, counted) => {
    const codes: unknown[] = [];
    const count = (name: string, labels: object) => void codes.push({ name, ...labels });
    countRefusal({ count }, "asterisk", { endReason, carrierCode, answeredAt });
    const name = "ringfold_carrier_refusals_total";
    expect(codes).toEqual(counted === undefined ? [] : [{ name, carrier: "asterisk", code: counted }]);
  },
);
