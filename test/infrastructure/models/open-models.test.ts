import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { DEFAULT_MODEL_CONNECTION } from "../../../application/ports/configuration/connections.ts";
import { openEgress } from "../../../infrastructure/connections/egress.ts";
import { mannersBook } from "../../../infrastructure/connections/server-manners.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { openModels } from "../../../infrastructure/models/open-models.ts";
import { scriptedModel } from "../../../simulation/model/scripted-model.ts";
import {
  type ConfigurationWorld,
  configurationOn,
  configurationWorld,
  someOwner,
} from "../../contracts/configuration/configuration-world.ts";
import {
  asks,
  failureOf,
  partsOf,
  patientLimits,
  TALK,
} from "../../contracts/language-model/language-model-contract.ts";
import { speaks } from "../../support/models/fake-answer.ts";
import { type FakeModelServer, fakeModelServer } from "../../support/models/fake-model-server.ts";

let world: ConfigurationWorld;
let server: FakeModelServer;
const egress = openEgress(["127.0.0.0/8"]);
const closed = openEgress([]);
const scripted = async (seed: string) => scriptedModel(seed);

beforeAll(async () => {
  world = await configurationWorld();
  server = await fakeModelServer(() => speaks(["Good ", "day."]));
});
afterAll(async () => {
  await Promise.all([egress.close(), closed.close(), server.close()]);
  await world.end();
});
afterEach(() => {
  server.asked.splice(0);
});

const ask = async (model: Awaited<ReturnType<ReturnType<typeof openModels>["open"]>>) =>
  (await partsOf(model.respond(asks(TALK), patientLimits()))).at(-1);

async function connected(owner = someOwner()) {
  const id = systemIds.next("conn");
  await world.configuration.connections.create(owner, id, {
    kind: "model",
    name: "Ours",
    settings: { baseUrl: server.url, defaultModel: "their-model" },
    secrets: { apiKey: "sk-first" },
  });
  return { owner, id };
}

it("an installation without a model has the scripted one, by seed", async () => {
  const model = await openModels({ ...world.configuration, manners: mannersBook(), scripted, egress }).open(
    someOwner(),
    null,
    "7",
  );
  expect(await ask(model)).toMatchObject({ model: "scripted" });
});

it("an owner's connection is asked with its key of now and its model", async () => {
  const { owner, id } = await connected();
  const models = openModels({ ...world.configuration, manners: mannersBook(), scripted, egress });
  await ask(await models.open(owner, id, "7"));
  await world.configuration.connections.change(owner, id, { secrets: { apiKey: "sk-second" } });
  await ask(await models.open(owner, id, "7"));
  expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer sk-first",
    "Bearer sk-second",
  ]);
  expect(server.asked[0]?.body).toMatchObject({ model: "their-model" });
});

it("another owner's connection, and one that is gone, are refused", async () => {
  const { owner, id } = await connected();
  const models = openModels({ ...world.configuration, manners: mannersBook(), scripted, egress });
  await expect(models.open(someOwner(), id, "7")).rejects.toMatchObject({ kind: "refused" });
  await world.configuration.connections.delete(owner, id);
  await expect(models.open(owner, id, "7")).rejects.toMatchObject({ kind: "refused" });
});

it("a range that is closed again is found out at the next connect", async () => {
  const { owner, id } = await connected();
  const model = await openModels({
    ...world.configuration,
    manners: mannersBook(),
    scripted,
    egress: closed,
  }).open(owner, id, "7");
  expect((await failureOf(model.respond(asks(TALK), patientLimits()))).kind).toBe("refused");
  expect(server.asked).toEqual([]);
});

it("the installation's own model may be anywhere, and every owner has it", async () => {
  const own = { baseUrl: server.url, apiKey: null, model: "house-model" };
  const { configuration } = configurationOn(world.database, own);
  const models = openModels({ ...configuration, manners: mannersBook(), scripted, egress: closed });
  await ask(await models.open(someOwner(), null, "7"));
  await ask(await models.open(someOwner(), DEFAULT_MODEL_CONNECTION, "7"));
  expect(server.asked.map(({ body }) => body?.["model"])).toEqual(["house-model", "house-model"]);
  expect(server.asked[0]?.headers.authorization).toBeUndefined();
  await configuration.stop();
});

it("a database that is away is told as a model that is away", async () => {
  const open = () => Promise.reject(new Error("connect ECONNREFUSED, password secret"));
  const models = openModels({ connections: { open }, manners: mannersBook(), scripted, egress });
  await expect(models.open(someOwner(), null, "7")).rejects.toMatchObject({
    kind: "unavailable",
    message: expect.not.stringContaining("secret"),
  });
});
