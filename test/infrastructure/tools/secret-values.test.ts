import { afterAll, beforeAll, expect, it } from "vitest";
import { secretBox } from "../../../infrastructure/secrets.ts";
import { secretValues } from "../../../infrastructure/tools/secret-values.ts";
import {
  type ConfigurationWorld,
  configurationWorld,
  someOwner,
} from "../../contracts/configuration/configuration-world.ts";

let world: ConfigurationWorld;
beforeAll(async () => {
  world = await configurationWorld();
});
afterAll(() => world.end());

it("a tool gets the current values of its owner's secrets that it names, and of nobody else's", async () => {
  const { secrets } = world.configuration;
  const [owner, other] = [someOwner(), someOwner()];
  await secrets.put(owner, "KEY", "old");
  await secrets.put(owner, "KEY", "new");
  await secrets.put(owner, "UNNAMED", "x");
  await secrets.put(other, "KEY", "another's");
  await secrets.put(other, "OTHER", "another's");
  // The box of the configuration world.
  const values = secretValues(world.database.pool, secretBox(new Uint8Array(32)));
  expect(await values(owner, ["KEY", "OTHER", "NONE"])).toEqual(new Map([["KEY", "new"]]));
  expect(await values(owner, [])).toEqual(new Map());
});
