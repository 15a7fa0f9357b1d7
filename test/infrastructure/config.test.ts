import { describe, expect, it } from "vitest";
import { ConfigError, readConfig, requireTokenBeyondLoopback } from "../../infrastructure/config.ts";
import { environment } from "../../infrastructure/environment.ts";

function mistakes(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
  return [];
}

describe("configuration", () => {
  it("has the defaults of the interface", () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      host: "127.0.0.1",
      port: 3000,
      databaseUrl: null,
      eventStorePrefix: "ringfold-",
      role: "all",
    });
    expect(config.plan).toEqual({ maxConcurrentCalls: 10, maxCallsPerSecond: 10 });
    expect(config.simulator).toMatchObject({ speed: 1, minuteMillis: 60_000, port: 3900 });
  });

  it("names every mistake at once, a line each", () => {
    const lines = mistakes({ PORT: "70000", WEBHOOK_ALLOW_CIDRS: "127.0.0.1", LOG_LEVEL: "loud" });
    expect(lines.map((line) => line.split(":")[0])).toEqual(["PORT", "WEBHOOK_ALLOW_CIDRS", "LOG_LEVEL"]);
  });

  it.each(["-1", "1e99", "99999999999", "high", "0x10"])(
    "names the range of every number, for %s",
    (value) => {
      const numbers = environment
        .keyof()
        .options.filter((name) => typeof environment.shape[name].safeParse(undefined).data === "number");
      expect(numbers).toContain("SIMULATOR_SPEED");
      const told = mistakes(Object.fromEntries(numbers.map((name) => [name, value])));
      expect(told.map((line) => line.replace(/: takes a (whole )?number from [\d.]+ to \d+$/, ""))).toEqual(
        numbers,
      );
      expect(mistakes({ SIMULATOR_SPEED: "-1" })).toEqual([
        "SIMULATOR_SPEED: takes a number from 0.001 to 1000000",
      ]);
    },
  );

  it("never repeats a value, which may be a secret", () => {
    expect(mistakes({ BOOTSTRAP_API_KEY: "short secret" }).join()).not.toContain("short secret");
  });

  it("counts an empty variable as not set", () => {
    expect(readConfig({ DATABASE_URL: "", PORT: "" }).port).toBe(3000);
  });

  it("wants a key for the secrets when the database is the user's own", () => {
    expect(mistakes({ DATABASE_URL: "postgres://localhost/ringfold" })).toEqual([
      expect.stringMatching(/^SECRETS_KEY: required with DATABASE_URL/),
    ]);
  });

  it("lets several processes share only what they can all reach", () => {
    expect(mistakes({ ROLE: "worker" }).map((line) => line.split(":")[0])).toEqual(["ROLE", "ROLE"]);
  });

  it("lets the carrier program listen without a token on loopback alone", () => {
    for (const HOST of ["127.0.0.1", "127.8.9.1", "::1", "localhost"])
      expect(() => requireTokenBeyondLoopback(readConfig({ HOST }))).not.toThrow();
    for (const HOST of ["0.0.0.0", "::", "10.0.0.1", "127.example"])
      expect(() => requireTokenBeyondLoopback(readConfig({ HOST }))).toThrow(/^SIMULATOR_TOKEN: required/);
    const SIMULATOR_TOKEN = "0123456789abcdef";
    expect(() => requireTokenBeyondLoopback(readConfig({ HOST: "0.0.0.0", SIMULATOR_TOKEN }))).not.toThrow();
    expect(mistakes({ SIMULATOR_TOKEN: "short" })).toEqual([
      expect.stringMatching(/^SIMULATOR_TOKEN: takes/),
    ]);
  });

  it("takes a model of its own only whole, and without a slash at the end of its address", () => {
    const LLM_BASE_URL = "http://models.internal:8000/v1/";
    expect(readConfig({}).llm).toBeNull();
    expect(readConfig({ LLM_BASE_URL, LLM_MODEL: "small-1" }).llm).toEqual({
      baseUrl: "http://models.internal:8000/v1",
      apiKey: null,
      model: "small-1",
    });
    expect(mistakes({ LLM_BASE_URL })).toEqual([expect.stringMatching(/^LLM_MODEL: required/)]);
    const withKey = "https://user:sk-secret@models.example/v1";
    const lines = mistakes({ LLM_BASE_URL: withKey, LLM_MODEL: "small-1" });
    expect(lines).toEqual([expect.stringMatching(/^LLM_BASE_URL: takes no user/)]);
    expect(lines.join()).not.toContain("sk-secret");
  });

  it("takes ranges of both address families", () => {
    expect(readConfig({ WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8, ::1/128" }).webhookAllowCidrs).toEqual([
      "127.0.0.0/8",
      "::1/128",
    ]);
    expect(readConfig({ TRUSTED_PROXIES: "10.0.0.0/8" }).trustedProxies).toEqual(["10.0.0.0/8"]);
    expect(mistakes({ TRUSTED_PROXIES: "10.0.0.1" })).toEqual([
      "TRUSTED_PROXIES: takes address ranges such as 127.0.0.0/8, separated by commas",
    ]);
  });
});
