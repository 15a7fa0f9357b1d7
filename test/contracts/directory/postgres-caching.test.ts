import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Notifications } from "../../../application/ports/notifications.ts";
import type { AssistantId, OwnerId, PhoneNumberId } from "../../../domain/shared/ids.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { createNotifications } from "../../../infrastructure/postgres/notifications.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";
import {
  assistantDraft,
  type ConfigurationWorld,
  configurationOn,
  configurationWorld,
  someOwner,
} from "../configuration/configuration-world.ts";

let world: ConfigurationWorld;
let otherNotifications: Notifications;
let other: ReturnType<typeof configurationOn>;
let owner: OwnerId;
let number: PhoneNumberId;
let assistant: AssistantId;
beforeAll(async () => {
  world = await configurationWorld();
  otherNotifications = createNotifications(world.database.pool, silentLogger);
  await otherNotifications.start();
  other = configurationOn({ pool: world.database.pool, notifications: otherNotifications });
});
afterAll(async () => {
  await other.configuration.stop();
  await otherNotifications.close();
  await world.end();
});
beforeEach(async () => {
  owner = someOwner();
  number = systemIds.next("pn");
  assistant = systemIds.next("ast");
  const draft = {
    phoneNumber: "+15005550001",
    label: null,
    active: true,
    carrier: null,
    connectionId: null,
    shared: false,
  } as const;
  await world.configuration.phoneNumbers.create(owner, number, draft);
  await world.configuration.assistants.create(owner, assistant, assistantDraft);
  await world.configuration.assistants.publish(owner, assistant);
});

it("answers what is configured, and null for another owner's", async () => {
  const { directory } = world;
  expect(await directory.phoneNumber(owner, number)).toEqual({
    phoneNumber: "+15005550001",
    active: true,
    connectionId: null,
  });
  expect(await directory.assistant(owner, assistant)).toEqual({ publishedVersion: 1 });
  expect(await directory.assistantVersion(owner, assistant, 1)).toEqual({
    ...assistantDraft,
    assistantId: assistant,
    version: 1,
  });
  expect(await directory.phoneNumber(someOwner(), number)).toBeNull();
  expect(await directory.assistantVersion(someOwner(), assistant, 1)).toBeNull();
  expect(await directory.owner(owner)).toBeNull();
});

it("sees a change of this process at once", async () => {
  await world.directory.phoneNumber(owner, number);
  await world.directory.assistant(owner, assistant);
  await world.configuration.phoneNumbers.change(owner, number, { active: false });
  await world.configuration.assistants.unpublish(owner, assistant);
  expect(await world.directory.phoneNumber(owner, number)).toMatchObject({ active: false });
  expect(await world.directory.assistant(owner, assistant)).toEqual({ publishedVersion: null });
});

it("sees the deletion of what it remembered", async () => {
  await world.directory.assistantVersion(owner, assistant, 1);
  await world.configuration.assistants.delete(owner, assistant);
  expect(await world.directory.assistantVersion(owner, assistant, 1)).toBeNull();
});

it("sees a change of another process soon, and tells its listeners", async () => {
  const told: OwnerId[] = [];
  const stop = other.directory.onChange((which) => told.push(which));
  await other.directory.phoneNumber(owner, number);
  await world.configuration.phoneNumbers.change(owner, number, { active: false });
  await eventually("the news", () => told.includes(owner));
  expect(await other.directory.phoneNumber(owner, number)).toMatchObject({ active: false });
  stop();
});

it("remembers nothing while news of others may be missed", async () => {
  const deaf = createNotifications(world.database.pool, silentLogger);
  const { directory, configuration } = configurationOn({ pool: world.database.pool, notifications: deaf });
  await directory.phoneNumber(owner, number);
  await world.configuration.phoneNumbers.change(owner, number, { active: false });
  expect(await directory.phoneNumber(owner, number)).toMatchObject({ active: false });
  await configuration.stop();
});

it("forgets everything when it hears again after the connection was lost", async () => {
  const { pool } = world.database;
  await other.directory.phoneNumber(owner, number);
  const cut =
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()";
  await pool.query(cut);
  await pool.query("update config.phone_numbers set active = false where id = $1", [number]);
  await eventually("the connection", async () => {
    const seen = await other.directory.phoneNumber(owner, number);
    return otherNotifications.listening() && seen?.active === false;
  });
});
