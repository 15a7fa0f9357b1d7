import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { ToolDraft } from "../../../application/ports/configuration/tools.ts";
import type { AssistantVersion, Directory } from "../../../application/ports/directory.ts";
import type { AssistantId, OwnerId, PhoneNumberId, ToolId } from "../../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { assistantDraft, someOwner, toolDraft } from "../configuration/configuration-world.ts";

const PLAN = { maxConcurrentCalls: 7, maxCallsPerSecond: 2.5 };

/** What users do to their configuration, in the words of either twin. */
export type DirectoryWorld = {
  readonly directory: Directory;
  readonly makeOwner: (owner: OwnerId) => Promise<void>;
  readonly makeInactive: (owner: OwnerId) => Promise<void>;
  readonly makeNumber: (owner: OwnerId, id: PhoneNumberId, phoneNumber: PhoneNumber) => Promise<void>;
  readonly switchOff: (owner: OwnerId, id: PhoneNumberId) => Promise<void>;
  /** Version 1 of a new assistant. */
  readonly publishNew: (owner: OwnerId, version: AssistantVersion) => Promise<void>;
  readonly makeTool: (owner: OwnerId, id: ToolId, draft: ToolDraft) => Promise<void>;
  readonly renameTool: (owner: OwnerId, id: ToolId, name: string) => Promise<void>;
  readonly unpublish: (owner: OwnerId, id: AssistantId) => Promise<void>;
  readonly deleteAssistant: (owner: OwnerId, id: AssistantId) => Promise<void>;
  readonly suppress: (owner: OwnerId, number: PhoneNumber) => Promise<void>;
  readonly unsuppress: (owner: OwnerId, number: PhoneNumber) => Promise<void>;
  readonly end: () => Promise<void>;
};

/** What a dial asks of the owner's configuration: always as it is now. */
export function directoryContract(makeWorld: (plan: typeof PLAN) => Promise<DirectoryWorld>): void {
  let world: DirectoryWorld;
  let directory: Directory;
  let owner: OwnerId;
  let other: OwnerId;
  let number: PhoneNumberId;
  let version: AssistantVersion;
  beforeAll(async () => {
    world = await makeWorld(PLAN);
    directory = world.directory;
  });
  afterAll(() => world.end());
  beforeEach(async () => {
    [owner, other] = [someOwner(), someOwner()];
    number = systemIds.next("pn");
    version = { ...assistantDraft, assistantId: systemIds.next("ast"), version: 1 };
    await world.makeOwner(owner);
    await world.makeNumber(owner, number, "+15005550001");
    await world.publishNew(owner, version);
  });

  it("knows the owner's number until it is switched off", async () => {
    expect(await directory.phoneNumber(owner, number)).toEqual({
      phoneNumber: "+15005550001",
      active: true,
      connectionId: null,
    });
    await world.switchOff(owner, number);
    expect(await directory.phoneNumber(owner, number)).toEqual({
      phoneNumber: "+15005550001",
      active: false,
      connectionId: null,
    });
  });

  it("knows which version is published, and keeps it after it is not", async () => {
    expect(await directory.assistant(owner, version.assistantId)).toEqual({ publishedVersion: 1 });
    await world.unpublish(owner, version.assistantId);
    expect(await directory.assistant(owner, version.assistantId)).toEqual({ publishedVersion: null });
    expect(await directory.assistantVersion(owner, version.assistantId, 1)).toEqual(version);
  });

  it("knows tools as they are now, in the order they are asked for", async () => {
    const [first, second] = [systemIds.next("tool"), systemIds.next("tool")];
    await world.makeTool(owner, first, toolDraft);
    await world.makeTool(owner, second, { ...toolDraft, name: "other" });
    const { sampleAnswer: _ofRehearsals, ...entry } = toolDraft;
    const both = [
      { ...entry, toolId: second, name: "other" },
      { ...entry, toolId: first },
    ];
    expect(await directory.tools(owner, [second, "tool_none", first])).toEqual(both);
    await world.renameTool(owner, first, "renamed");
    expect(await directory.tools(owner, [second, "tool_none", first])).toMatchObject([
      { name: "other" },
      { name: "renamed" },
    ]);
    expect(await directory.tools(owner, [])).toEqual([]);
    expect(await directory.tools(other, [first])).toEqual([]);
  });

  it("knows nothing of a deleted assistant", async () => {
    await directory.assistantVersion(owner, version.assistantId, 1);
    await world.deleteAssistant(owner, version.assistantId);
    expect(await directory.assistant(owner, version.assistantId)).toBeNull();
    expect(await directory.assistantVersion(owner, version.assistantId, 1)).toBeNull();
  });

  it("knows plan and state of an owner", async () => {
    expect(await directory.owner(owner)).toEqual({
      active: true,
      plan: { ...PLAN, maxModelTokensPerDay: null, source: "operator" },
    });
    await world.makeInactive(owner);
    expect(await directory.owner(owner)).toMatchObject({ active: false, plan: PLAN });
    expect(await directory.owner(other)).toBeNull();
  });

  it("answers those of the numbers that are on the owner's do-not-call list", async () => {
    const numbers: PhoneNumber[] = ["+15005550006", "+15005550007"];
    await world.suppress(owner, "+15005550007");
    expect(await directory.suppressed(owner, numbers)).toEqual(new Set(["+15005550007"]));
    expect(await directory.onOwnList(owner, numbers)).toEqual(new Set(["+15005550007"]));
    await world.unsuppress(owner, "+15005550007");
    expect(await directory.suppressed(owner, numbers)).toEqual(new Set());
    expect(await directory.suppressed(owner, [])).toEqual(new Set());
  });

  it("tells another owner nothing of it", async () => {
    await world.suppress(owner, "+15005550006");
    expect(await directory.phoneNumber(other, number)).toBeNull();
    expect(await directory.assistant(other, version.assistantId)).toBeNull();
    expect(await directory.assistantVersion(other, version.assistantId, 1)).toBeNull();
    expect(await directory.suppressed(other, ["+15005550006"])).toEqual(new Set());
  });

  it("answers null for what nobody has", async () => {
    expect(await directory.phoneNumber(owner, "pn_none")).toBeNull();
    expect(await directory.assistant(owner, "ast_none")).toBeNull();
    expect(await directory.assistantVersion(owner, version.assistantId, 2)).toBeNull();
  });

  it.each([
    ["a number", () => world.switchOff(owner, number)],
    ["an assistant", () => world.unpublish(owner, version.assistantId)],
    ["a suppression", () => world.suppress(owner, "+15005550006")],
    ["its state", () => world.makeInactive(owner)],
  ])("tells listeners that the owner changed %s, until they are taken away", async (_what, change) => {
    const [told, gone]: [OwnerId[], OwnerId[]] = [[], []];
    directory.onChange((which) => gone.push(which))();
    const stop = directory.onChange((which) => told.push(which));
    await change();
    await eventually("the news", () => told.includes(owner));
    expect(gone).toEqual([]);
    stop();
  });
}
