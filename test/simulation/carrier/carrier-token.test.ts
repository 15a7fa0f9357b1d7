import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { instantFromMillis } from "../../../domain/shared/instant.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { type CarrierServer, startCarrierServer } from "../../../simulation/http/carrier-server.ts";
import { createHttpTelephony } from "../../../simulation/http/http-telephony.ts";
import { runProgram } from "../../programs/run-program.ts";
import { dialRequest, LATEST, TOKEN } from "./carrier-harness.ts";

describe("a carrier program with SIMULATOR_TOKEN", () => {
  let dataDir: string;
  let server: CarrierServer;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "carrier-"));
    const options = { clock: systemClock, host: "127.0.0.1", port: 0, dataDir, seed: 1, speed: 1_000 };
    server = await startCarrierServer({ ...options, token: TOKEN });
  });
  afterEach(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const REQUESTS = [
    ["GET", "/health"],
    ["GET", "/journal"],
    ["GET", "/calls?installation=here&since=2026-01-01T00:00:00.000Z"],
    ["GET", "/calls/call_1"],
    ["POST", "/calls"],
    ["POST", "/calls/call_1/hang-up"],
    ["PUT", "/callbacks"],
    ["GET", "/nowhere"],
  ] as const;

  it.each(REQUESTS)("refuses %s %s without it, or with another: 401", async (method, path) => {
    for (const headers of [{}, { authorization: `Bearer ${TOKEN}x` }, { authorization: TOKEN }]) {
      const { status } = await fetch(`${server.url}${path}`, { method, headers });
      expect(status).toBe(401);
    }
  });

  it("answers with it", async () => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    expect((await fetch(`${server.url}/journal`, { headers })).status).toBe(200);
  });

  it("has certainly not dialled for a service without it, which then counts it as away", async () => {
    const stranger = createHttpTelephony({
      url: server.url,
      clock: systemClock,
      installation: "here",
      token: null,
    });
    expect(await stranger.placeCall(dialRequest("+15005550006"), LATEST)).toMatchObject({
      kind: "rejected",
      endReason: "not_placed",
      noAnswerAtAll: true,
    });
    expect(await stranger.callsSince(instantFromMillis(0))).toMatchObject({
      kind: "unavailable",
      cause: expect.stringContaining("SIMULATOR_TOKEN"),
    });
    expect(await stranger.available()).toBe(false);
    await stranger.close();
    const journal = await fetch(`${server.url}/journal`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect(await journal.text()).toBe("");
  });
});

describe("npm run carrier beyond loopback", () => {
  it.each(["0.0.0.0", "::"])(
    "does not start on %s without SIMULATOR_TOKEN, and says so in one line",
    async (HOST) => {
      const { code, stdout, stderr } = await runProgram("carrier.ts", [], { HOST, SIMULATOR_PORT: "0" });
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^SIMULATOR_TOKEN: required to listen on [^\n]+\n$/);
    },
    60_000,
  );
});
