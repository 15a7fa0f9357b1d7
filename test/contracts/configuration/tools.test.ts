import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { OwnerId, ToolId } from "../../../domain/shared/ids.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import {
  assistantDraft,
  type ConfigurationWorld,
  configurationWorld,
  someOwner,
  toolDraft,
} from "./configuration-world.ts";

let world: ConfigurationWorld;
let owner: OwnerId;
let id: ToolId;
beforeAll(async () => {
  world = await configurationWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  owner = someOwner();
  id = systemIds.next("tool");
  await world.configuration.tools.create(owner, id, toolDraft);
});

it("keeps the configuration as it was written, keys in their order", async () => {
  const tool = await world.configuration.tools.get(owner, id);
  expect(JSON.stringify(tool?.config)).toBe(JSON.stringify(toolDraft.config));
});

it("changes what is given", async () => {
  const { tools } = world.configuration;
  await tools.change(owner, id, { config: { url: "https://example.org" } });
  expect(await tools.change(owner, id, { description: "Short" })).toMatchObject({
    description: "Short",
    config: { url: "https://example.org" },
    name: "book",
  });
});

it("keeps what it answers in rehearsals, which null takes away", async () => {
  const { tools } = world.configuration;
  expect(await tools.change(owner, id, { sampleAnswer: '{"free":2}' })).toMatchObject({
    sampleAnswer: '{"free":2}',
  });
  expect(await tools.change(owner, id, { name: "book" })).toMatchObject({ sampleAnswer: '{"free":2}' });
  await tools.change(owner, id, { sampleAnswer: null });
  expect(await tools.get(owner, id)).toMatchObject({ sampleAnswer: null, name: "book" });
});

it("cannot be deleted while an assistant has it in its draft", async () => {
  const assistantId = systemIds.next("ast");
  await world.configuration.assistants.create(owner, assistantId, { ...assistantDraft, toolIds: [id] });
  const refused = { saved: false, reason: "in_use", assistantIds: [assistantId] };
  expect(await world.configuration.tools.delete(owner, id)).toEqual(refused);
});

it("cannot be deleted while the published version of an assistant has it", async () => {
  const { assistants, tools } = world.configuration;
  const assistantId = systemIds.next("ast");
  await assistants.create(owner, assistantId, { ...assistantDraft, toolIds: [id] });
  await assistants.publish(owner, assistantId);
  await assistants.change(owner, assistantId, { toolIds: [] });
  expect(await tools.delete(owner, id)).toMatchObject({ saved: false, reason: "in_use" });
  await assistants.publish(owner, assistantId);
  expect(await tools.delete(owner, id)).toEqual({ saved: true, value: null });
});

it("is never deleted under an assistant that takes it at the same moment", async () => {
  const { assistants, tools } = world.configuration;
  const assistantId = systemIds.next("ast");
  const [made, deleted] = await Promise.all([
    assistants.create(owner, assistantId, { ...assistantDraft, toolIds: [id] }),
    tools.delete(owner, id),
  ]);
  expect(made.saved).toBe(!deleted.saved);
});
