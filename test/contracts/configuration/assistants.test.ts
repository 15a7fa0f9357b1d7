import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { AssistantRecord } from "../../../contract/assistant.ts";
import type { AssistantId, OwnerId } from "../../../domain/shared/ids.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import {
  assistantDraft,
  type ConfigurationWorld,
  configurationWorld,
  FIRST_PAGE,
  someOwner,
} from "./configuration-world.ts";

let world: ConfigurationWorld;
let owner: OwnerId;
let id: AssistantId;
beforeAll(async () => {
  world = await configurationWorld();
});
afterAll(() => world.end());
beforeEach(async () => {
  owner = someOwner();
  id = systemIds.next("ast");
  await world.configuration.assistants.create(owner, id, assistantDraft);
});

it("starts unpublished, with what was written", async () => {
  const now = world.clock.now();
  expect(await world.configuration.assistants.get(owner, id)).toEqual({
    ...assistantDraft,
    id,
    publishNeedsRehearsal: false,
    publishedVersion: null,
    versions: 0,
    createdAt: now,
    updatedAt: now,
  });
});

it("freezes the draft as the next version when it is published", async () => {
  const { assistants } = world.configuration;
  await assistants.publish(owner, id);
  await assistants.change(owner, id, { greetingMessage: "Good day" });
  const published = await assistants.publish(owner, id);
  expect(published).toMatchObject({ saved: true, value: { publishedVersion: 2, versions: 2 } });
  const versions = await assistants.versions(owner, id, FIRST_PAGE);
  expect(versions?.rows.map(({ version, greetingMessage }) => [version, greetingMessage])).toEqual([
    [2, "Good day"],
    [1, "Hello {{name}}"],
  ]);
});

it("changes the draft only, and only what is given", async () => {
  const { assistants } = world.configuration;
  await assistants.publish(owner, id);
  world.clock.advance(1_000);
  const changed = await assistants.change(owner, id, { temperature: null });
  const expected: Partial<AssistantRecord> = { temperature: null, name: "Reception", publishedVersion: 1 };
  expect(changed).toMatchObject({ saved: true, value: { ...expected, updatedAt: world.clock.now() } });
  expect(await world.directory.assistantVersion(owner, id, 1)).toMatchObject({ temperature: 0.2 });
});

it("draws no version twice when it is published twice at once", async () => {
  const published = await Promise.all([1, 2, 3].map(() => world.configuration.assistants.publish(owner, id)));
  expect(published.map((each) => each?.saved && each.value.publishedVersion).sort()).toEqual([1, 2, 3]);
});

it("keeps its versions when it is unpublished", async () => {
  const { assistants } = world.configuration;
  await assistants.publish(owner, id);
  expect(await assistants.unpublish(owner, id)).toMatchObject({ publishedVersion: null, versions: 1 });
  expect(await assistants.unpublish(owner, id)).toMatchObject({ publishedVersion: null });
  expect(await assistants.publish(owner, id)).toMatchObject({ value: { publishedVersion: 2 } });
});

it("pages through its versions", async () => {
  const { assistants } = world.configuration;
  for (let round = 0; round < 3; round += 1) await assistants.publish(owner, id);
  const first = await assistants.versions(owner, id, { limit: 2, after: null });
  expect(first).toMatchObject({ rows: [{ version: 3 }, { version: 2 }], next: 2 });
  expect(await assistants.versions(owner, id, { limit: 2, after: 2 })).toMatchObject({
    rows: [{ version: 1 }],
    next: null,
  });
});

it("is gone with its versions when it is deleted", async () => {
  const { assistants } = world.configuration;
  await assistants.publish(owner, id);
  expect([await assistants.delete(owner, id), await assistants.delete(owner, id)]).toEqual([true, false]);
  expect(await assistants.get(owner, id)).toBeNull();
  expect(await assistants.versions(owner, id, FIRST_PAGE)).toBeNull();
});

it("refuses tools that the owner does not have, and names them", async () => {
  const { assistants } = world.configuration;
  const toolIds = [systemIds.next("tool"), systemIds.next("tool")];
  const refused = { saved: false, reason: "tools_not_found", toolIds };
  expect(await assistants.create(owner, systemIds.next("ast"), { ...assistantDraft, toolIds })).toEqual(
    refused,
  );
  expect(await assistants.change(owner, id, { toolIds })).toEqual(refused);
});

it("is neither published by another owner nor shows its versions", async () => {
  const { assistants } = world.configuration;
  const other = someOwner();
  expect(await assistants.publish(other, id)).toBeNull();
  expect(await assistants.unpublish(other, id)).toBeNull();
  expect(await assistants.versions(other, id, FIRST_PAGE)).toBeNull();
});
