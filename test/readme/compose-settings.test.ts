import { readFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { expect, it } from "vitest";
import { isNewEnough } from "../../infrastructure/carriers/asterisk/ari/version.ts";
import { readConfig } from "../../infrastructure/config.ts";

const read = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), "utf8");

it("what stands in .env reaches the service, and the example knows from where clients reach a container", async () => {
  const service = (await read("docker-compose.yml")).split("\n  ringfold:\n")[1] ?? "";
  expect(service).toMatch(/\n {4}env_file:\n {6}- path: \.env\n/);
  const {
    BOOTSTRAP_API_KEY: _unset,
    SECRETS_KEY: _unsetToo,
    ...example
  } = parseEnv(await read(".env.example"));
  expect(readConfig(example).trustedProxies).toEqual(["172.16.0.0/12", "192.168.0.0/16"]);
});

it("the profile with Asterisk has a version that is new enough, and the dialplan that is shipped", async () => {
  const asterisk = (await read("docker-compose.yml")).split("\n  asterisk:\n")[1] ?? "";
  expect(asterisk).toContain('profiles: ["asterisk"]');
  expect(isNewEnough(/image: \S+:(\d+\.\d+\.\d+)/.exec(asterisk)?.[1] ?? "")).toBe(true);
  const [shipped = ""] = /deploy\/asterisk\/\S+(?=:\/etc)/.exec(asterisk) ?? [];
  expect(await read(shipped)).toContain("[ringfold-dial]");
});
