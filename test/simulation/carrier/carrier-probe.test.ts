import { expect, it } from "vitest";
import { createCarrierHealth } from "../../../application/call/health/carrier-health.ts";
import { runCarrierProbe } from "../../../application/call/health/carrier-probe.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { createHttpTelephony } from "../../../simulation/http/http-telephony.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { oneCarrier } from "../../support/one-carrier.ts";
import { rawReceiver } from "../../support/raw-receiver.ts";

it("a carrier that takes the question and never answers does not hold up a stop", async () => {
  const frozen = await rawReceiver(() => undefined);
  const clock = movingClock();
  const { origin } = new URL(frozen.url);
  const telephony = createHttpTelephony({ url: origin, clock, installation: "one", token: null });
  const carrierHealth = createCarrierHealth();
  const stop = new AbortController();
  carrierHealth.assumeUnavailable({ key: "simulated", owner: "usr_1", connectionId: null });
  const probe = runCarrierProbe({ carriers: oneCarrier(telephony), carrierHealth, clock }, stop.signal);
  await eventually("the question", () => {
    clock.advance(10_000);
    return frozen.sockets.length > 0;
  });
  const since = performance.now();
  stop.abort();
  await probe;
  expect(performance.now() - since).toBeLessThan(1_000);
  expect(carrierHealth.unavailable("simulated")).toBe(true);
  await telephony.close();
  await frozen.close();
});
