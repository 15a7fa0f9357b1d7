import { afterEach, expect, it } from "vitest";
import { type CheckedModel, checkModel } from "../../../infrastructure/connections/check-model.ts";
import { openEgress } from "../../../infrastructure/connections/egress.ts";
import { speaks } from "../../support/models/fake-answer.ts";
import { fakeModelServer } from "../../support/models/fake-model-server.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of open.splice(0)) await item.close();
});

async function check(
  models: readonly string[] | number,
  cidrs = ["127.0.0.0/8"],
  path = "",
  manners: CheckedModel["manners"] = [],
) {
  const server = await fakeModelServer(() => speaks(["Hello"]), models);
  const egress = openEgress(cidrs);
  open.push(server, egress);
  const asked = { baseUrl: `${server.url}${path}`, apiKey: "sk-secret", defaultModel: "fake-1", manners };
  const findings = await checkModel(egress.ofOwners, asked);
  expect(JSON.stringify(findings)).not.toContain("sk-");
  return findings.map(({ name, ok }) => `${name} ${ok}`);
}

it("a server that takes the key and has the model is all right", async () => {
  expect(await check(["fake-1"])).toEqual(["reachable true", "credentials true", "model true"]);
});

it("a model that the server does not list is found out", async () => {
  expect(await check(["other"])).toEqual(["reachable true", "credentials true", "model false"]);
});

it("a key that is refused is told apart from a server that fails, and from one that is not there", async () => {
  expect(await check(401)).toEqual(["reachable true", "credentials false"]);
  expect(await check(500)).toEqual(["reachable false"]);
  expect(await check([], ["127.0.0.0/8"], "/no-such-path")).toEqual(["reachable false"]);
});

it("an address that is not allowed is not asked", async () => {
  expect(await check(["fake-1"], [])).toEqual(["address false"]);
});

it("what the server refused of a model is told, and is no fault", async () => {
  const manners = [{ model: "fake-1", manners: new Set(["no_stream_options", "no_tools"] as const) }];
  expect(await check(["fake-1"], ["127.0.0.0/8"], "", manners)).toEqual([
    "reachable true",
    "credentials true",
    "model true",
    "parameters true",
  ]);
});
