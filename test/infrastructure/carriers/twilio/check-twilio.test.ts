import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CarrierFinding } from "../../../../application/ports/carrier.ts";
import type { Clock } from "../../../../application/ports/clock.ts";
import { checkTwilio } from "../../../../infrastructure/carriers/twilio/check-twilio.ts";
import { createTransport } from "../../../../infrastructure/carriers/twilio/transport.ts";
import { openTwilioApi } from "../../../../infrastructure/carriers/twilio/twilio-api.ts";
import { systemClock } from "../../../../infrastructure/clock.ts";
import { openEgress } from "../../../../infrastructure/connections/egress.ts";
import { ACCOUNT, startTwilioHost, type TwilioHost } from "../../../support/carriers/twilio-host.ts";

describe("a wrong PUBLIC_URL", () => {
  let host: TwilioHost;
  beforeAll(async () => {
    host = await startTwilioHost({ ownedNumbers: ["+15005550100"] });
  });
  afterAll(() => host.stop());

  /** `isReal`: as with Twilio itself, whose relay comes from far away. */
  const wrong = async (
    publicUrl: string,
    isReal = false,
    clock: Clock = systemClock,
  ): Promise<readonly CarrierFinding[]> => {
    const egress = openEgress(["127.0.0.0/8"]);
    const transport = createTransport({ clock: systemClock, egress });
    const account = { ...ACCOUNT, callsPerSecond: 1, baseUrl: host.fake.url };
    const api = await openTwilioApi(account, transport);
    const settings = isReal ? { ...account, baseUrl: null } : account;
    const findings = await checkTwilio({ settings, publicUrl, clock, api, transport });
    await transport.stop();
    await egress.close();
    return findings.filter(({ ok }) => !ok);
  };
  const said = (detail: string) => [{ name: "public_url", ok: false, detail }];

  it.each([
    [60_000, "ahead of"],
    [-60_000, "behind"],
  ])("as a clock that is %i ms from Twilio's is found", async (millis, which) => {
    const clock = { ...systemClock, nowMillis: () => systemClock.nowMillis() + millis };
    const clocks = (await wrong(host.publicUrl, false, clock)).filter(({ name }) => name === "clock");
    expect(clocks).toHaveLength(1);
    expect(clocks[0]?.detail).toMatch(new RegExp(`is (59|60|61) s ${which} Twilio's: set it by NTP$`));
  });

  it("that leads to something else is named by the check", async () => {
    const url = host.fake.url;
    const detail = `PUBLIC_URL (${url}) answers 404 to /health/live: it leads to something else`;
    expect(await wrong(url)).toEqual(said(detail));
  });

  it("at which nobody answers is named by the check", async () => {
    const url = "http://127.0.0.1:9";
    const detail = `PUBLIC_URL (${url}) cannot be reached from here (ECONNREFUSED); if that is meant to be so, look whether callbacks arrive`;
    expect(await wrong(url)).toEqual(said(detail));
  });

  it("that Twilio's relay cannot open is named by the check", async () => {
    const plain = "http://calls.example.com";
    const detail = `PUBLIC_URL is ${plain}: Twilio's relay opens wss:// only, so it has to be https://`;
    expect(await wrong(plain, true)).toEqual(said(detail));
  });

  it.each(["https://localhost", "https://10.1.2.3", "https://192.168.0.7:8443", "https://ringfold.internal"])(
    "that is private is named by the check: %s",
    async (url) => {
      const detail = `PUBLIC_URL is ${url}: Twilio cannot reach a private address`;
      expect(await wrong(url, true)).toEqual(said(detail));
    },
  );

  it("is no finding where this service answers", async () => {
    expect(await wrong(host.publicUrl)).toEqual([]);
  });
});
