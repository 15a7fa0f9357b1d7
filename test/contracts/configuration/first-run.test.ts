import { afterEach, beforeEach, expect, it } from "vitest";
import { systemIds } from "../../../infrastructure/ids.ts";
import { type ConfigurationWorld, configurationWorld } from "./configuration-world.ts";

let world: ConfigurationWorld;
beforeEach(async () => {
  world = await configurationWorld();
});
afterEach(() => world.end());

const run = (bootstrapKey: string | null) =>
  world.configuration.users.firstRun({
    userId: systemIds.next("usr"),
    apiKeyId: systemIds.next("key"),
    bootstrapKey,
  });

it("makes one first key, however many processes start, and none ever after", async () => {
  const made = await Promise.all([run(null), run(null), run(null)]);
  const keys = made.flatMap((issued) => issued?.key ?? []);
  expect(keys).toHaveLength(1);
  expect(await world.configuration.apiKeys.verify(keys[0] ?? "")).toMatchObject({
    scopes: ["admin", "operator"],
  });
  expect(await run("another-bootstrap-key")).toBeNull();
  expect(await world.configuration.apiKeys.verify("another-bootstrap-key")).toBeNull();
});

it("takes the key that was set, whatever its form", async () => {
  const key = "change-me-in-production!";
  expect(await run(key)).toMatchObject({ key });
  expect(await world.configuration.apiKeys.verify(key)).toMatchObject({ scopes: ["admin", "operator"] });
  expect(await world.configuration.apiKeys.verify("change-me-in-production?")).toBeNull();
});

it("takes a set key of the usual form as well", async () => {
  const key = `va_live_abcdefgh_${"k".repeat(32)}`;
  await run(key);
  expect(await world.configuration.apiKeys.verify(key)).not.toBeNull();
  expect(await world.configuration.apiKeys.verify(`va_live_abcdefgh_${"K".repeat(32)}`)).toBeNull();
});
