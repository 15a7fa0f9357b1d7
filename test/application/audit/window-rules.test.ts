import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLocalTimes } from "../../../application/audit/local-time.ts";
import { isInside } from "../../../application/audit/window-rules.ts";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { isWindowOpen } from "../../../domain/window/call-window.ts";
import { ODD_ZONES, windowsAround } from "../../domain/campaign/random-windows.ts";
import { PROPERTY_RUNS, PROPERTY_TIMEOUT } from "../../domain/property-runs.ts";

const times = createLocalTimes();
const cases = fc
  .record({
    zone: fc.constantFrom(...ODD_ZONES),
    millis: fc.integer({ min: Date.parse("2024-01-01T00:00:00Z"), max: Date.parse("2034-01-01T00:00:00Z") }),
  })
  .chain(({ zone, millis }) =>
    windowsAround(millis, new Date(millis).getUTCHours()).map((window) => ({ zone, millis, window })),
  );

describe("the audit's own judgement of a window", PROPERTY_TIMEOUT, () => {
  it("agrees with the engine's at any time, though they share nothing", () => {
    const verdicts = new Set<boolean>();
    const property = fc.property(cases, ({ zone, millis, window }) => {
      const at = instantFromMillis(millis);
      const isOpen = isWindowOpen(zone, window, at);
      verdicts.add(isOpen);
      expect(isInside(window, times(zone, at)?.text ?? "")).toBe(isOpen);
    });
    fc.assert(property, { numRuns: PROPERTY_RUNS });
    expect(verdicts.size).toBe(2);
  });
});
