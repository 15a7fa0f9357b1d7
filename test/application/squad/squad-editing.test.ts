import { beforeEach, describe, expect, it } from "vitest";
import type { HandoffInput, MemberInput } from "../../../application/squad/squad-requests.ts";
import type { AssistantId, HandoffId } from "../../../domain/shared/ids.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  PHONE_NUMBER,
  type Stores,
  sharedStores,
  until,
} from "../engine-world.ts";

const OTHER: AssistantId = "ast_2";
const THIRD: AssistantId = "ast_3";
const SQUAD = "sqd_1";
const STRANGER = { ...CALLER, owner: "usr_2" } as const;
const NO_SUCH_SQUAD = {
  ok: false,
  refusal: { code: "SQUAD_NOT_FOUND", message: "Squad not found", details: [] },
};

let stores: Stores;
let useCases: ReturnType<typeof engineProcess>["useCases"];

const member = (assistantId: string, changes: Partial<MemberInput> = {}): MemberInput => ({
  assistantId,
  assistantVersion: null,
  isEntry: false,
  position: null,
  overrideSettings: {},
  ...changes,
});
const handoff = (from: string, to: string, changes: Partial<HandoffInput> = {}): HandoffInput => ({
  from,
  to,
  toolName: null,
  description: "When the customer wants to pay",
  message: "One moment",
  contextMode: "all",
  contextMaxMessages: null,
  variables: [],
  enabled: true,
  ...changes,
});
const create = (members: readonly MemberInput[], handoffs: readonly HandoffInput[] = []) =>
  until(
    stores,
    useCases.createSquad(CALLER, {
      reservedSquadId: SQUAD,
      name: "Team",
      description: null,
      overrideSettings: {},
      members,
      handoffs,
    }),
  );
const lastEvent = () => stores.database.events.at(-1);
const dataOf = (type: string) =>
  stores.database.events.flatMap((event) => (event.type === type ? [event.data] : []));
/** Members mbr_a (the entry), mbr_b and mbr_c, and the link hnd_ab from the first to the second. */
async function team(): Promise<void> {
  await create([]);
  for (const [memberId, assistantId] of [
    ["mbr_a", ASSISTANT],
    ["mbr_b", OTHER],
    ["mbr_c", THIRD],
  ] as const)
    await until(
      stores,
      useCases.addMember(CALLER, SQUAD, { ...member(assistantId), reservedMemberId: memberId }),
    );
  await link("mbr_a", "mbr_b", "hnd_ab");
}
const link = (
  from: string,
  to: string,
  reservedHandoffId: HandoffId | null,
  changes: Partial<HandoffInput> = {},
) => until(stores, useCases.addHandoff(CALLER, SQUAD, { ...handoff(from, to, changes), reservedHandoffId }));

beforeEach(async () => {
  stores = sharedStores();
  ({ useCases } = engineProcess(stores, { works: false }));
  const first = await stores.directory.assistantVersion(OWNER, ASSISTANT, 1);
  if (first === null) throw new Error("no assistant");
  stores.directory.publish(OWNER, { ...first, assistantId: OTHER, name: "Billing & Payments" });
  stores.directory.publish(OWNER, { ...first, assistantId: THIRD, name: " -- Zoë's  Desk! " });
});

describe("members", () => {
  it("are added under the reserved id or a fresh one, and answered with it", async () => {
    await create([]);
    const reserved = useCases.addMember(CALLER, SQUAD, { ...member(ASSISTANT), reservedMemberId: "mbr_a" });
    expect(await until(stores, reserved)).toMatchObject({ ok: true, value: { memberId: "mbr_a" } });
    const fresh = await until(
      stores,
      useCases.addMember(CALLER, SQUAD, { ...member(OTHER), reservedMemberId: null }),
    );
    expect(fresh).toMatchObject({ ok: true, value: { memberId: expect.stringMatching(/^mbr_.+/) } });
    expect(fresh.ok && fresh.position).toBe(lastEvent()?.position);
  });

  it("of a version that does not exist are refused at its path, alone and within a new squad", async () => {
    const message = "The assistant has no such version";
    const refusal = (path: readonly (string | number)[]) => ({
      ok: false,
      refusal: { code: "VALIDATION_ERROR", message, details: [{ path, message }] },
    });
    const wrong = member(OTHER, { assistantVersion: 9 });
    expect(await create([member(ASSISTANT), wrong])).toEqual(refusal(["members", 1, "assistantVersion"]));
    expect(stores.database.events).toEqual([]);
    await create([]);
    const added = useCases.addMember(CALLER, SQUAD, { ...wrong, reservedMemberId: null });
    expect(await until(stores, added)).toEqual(refusal(["assistantVersion"]));
  });

  it("of an assistant that does not exist are refused at its path within a new squad", async () => {
    const message = "Assistant not found";
    const details = [{ path: ["members", 0, "assistantId"], message }];
    expect(await create([member("ast_none")])).toEqual({
      ok: false,
      refusal: { code: "ASSISTANT_NOT_FOUND", message, details },
    });
    expect(await create([member("something")])).toMatchObject({ refusal: { details } });
  });

  it("are changed, and a version that does not exist is refused", async () => {
    await team();
    const change = (changes: Parameters<typeof useCases.changeMember>[3]) =>
      until(stores, useCases.changeMember(CALLER, SQUAD, "mbr_b", changes));
    expect(await change({ assistantVersion: 9 })).toMatchObject({
      refusal: { code: "VALIDATION_ERROR", details: [{ path: ["assistantVersion"] }] },
    });
    expect(dataOf("SquadMemberChanged")).toEqual([]);
    expect(await change({ assistantVersion: 1, position: 7 })).toMatchObject({ ok: true, value: null });
    expect(lastEvent()).toMatchObject({
      type: "SquadMemberChanged",
      data: { member: { memberId: "mbr_b", assistantVersion: 1, position: 7 } },
    });
    expect(await change({ assistantVersion: null })).toMatchObject({ ok: true });
    expect(lastEvent()).toMatchObject({ data: { member: { assistantVersion: null, position: 7 } } });
  });

  it("that are not there are refused by change and removal", async () => {
    await team();
    const refusal = { refusal: { code: "SQUAD_MEMBER_NOT_FOUND" } };
    const changed = useCases.changeMember(CALLER, SQUAD, "mbr_none", { assistantVersion: 1 });
    expect(await until(stores, changed)).toMatchObject(refusal);
    expect(await until(stores, useCases.removeMember(CALLER, SQUAD, "mbr_none"))).toMatchObject(refusal);
  });

  it("leave with their links, and the answer names these and the new entry", async () => {
    await team();
    await link("mbr_c", "mbr_a", "hnd_ca");
    expect(await until(stores, useCases.removeMember(CALLER, SQUAD, "mbr_a"))).toMatchObject({
      ok: true,
      value: { memberId: "mbr_a", removedHandoffIds: ["hnd_ab", "hnd_ca"], newEntryMemberId: "mbr_b" },
    });
    expect(await until(stores, useCases.removeMember(CALLER, SQUAD, "mbr_c"))).toMatchObject({
      value: { memberId: "mbr_c", removedHandoffIds: [], newEntryMemberId: null },
    });
  });
});

describe("handoffs", () => {
  it("are added under the reserved id or a fresh one, and answered with it", async () => {
    await team();
    expect(await link("mbr_b", "mbr_a", "hnd_ba")).toMatchObject({
      ok: true,
      value: { handoffId: "hnd_ba" },
    });
    expect(await link("mbr_b", "mbr_c", null)).toMatchObject({
      ok: true,
      value: { handoffId: expect.stringMatching(/^hnd_.+/) },
    });
  });

  it.each([
    ["a member's assistant", "mbr_b", "handoff_to_billing_payments"],
    ["an assistant", OTHER, "handoff_to_billing_payments"],
    ["a name with marks at its ends and letters of its own", "mbr_c", "handoff_to_zoe_s_desk"],
  ])("name their tool after %s", async (_what, to, toolName) => {
    await team();
    await until(stores, useCases.removeHandoff(CALLER, SQUAD, "hnd_ab"));
    await link("mbr_a", to, null);
    expect(lastEvent()?.data["handoff"]).toMatchObject({ toolName });
  });

  it("name their tool after the id where the assistant is not published, and keep a name that was given", async () => {
    await team();
    stores.directory.unpublish(OWNER, THIRD);
    await link("mbr_b", "mbr_c", null);
    expect(lastEvent()?.data["handoff"]).toMatchObject({ toolName: "handoff_to_mbr_c" });
    await link("mbr_c", "mbr_a", null, { toolName: "ask_ada" });
    expect(lastEvent()?.data["handoff"]).toMatchObject({ toolName: "ask_ada" });
  });

  it("name a tool for a name of nothing but marks, and cut a long one to 50 letters", async () => {
    const first = await stores.directory.assistantVersion(OWNER, ASSISTANT, 1);
    if (first === null) throw new Error("no assistant");
    stores.directory.publish(OWNER, { ...first, assistantId: OTHER, name: "!!!" });
    stores.directory.publish(OWNER, { ...first, assistantId: THIRD, name: "n".repeat(80) });
    await team();
    await link("mbr_a", "mbr_c", null);
    const names = dataOf("SquadHandoffAdded").map(({ handoff: added }) => added);
    expect(names).toMatchObject([
      { toolName: "handoff_to_assistant" },
      { toolName: `handoff_to_${"n".repeat(50)}` },
    ]);
  });

  it("are changed and removed", async () => {
    await team();
    const changed = useCases.changeHandoff(CALLER, SQUAD, "hnd_ab", { enabled: false, message: null });
    expect(await until(stores, changed)).toMatchObject({ ok: true, value: null });
    expect(lastEvent()).toMatchObject({
      type: "SquadHandoffChanged",
      data: { handoff: { handoffId: "hnd_ab", enabled: false, message: null } },
    });
    await until(stores, useCases.removeHandoff(CALLER, SQUAD, "hnd_ab"));
    expect(lastEvent()).toMatchObject({ type: "SquadHandoffRemoved", data: { handoffId: "hnd_ab" } });
    const again = useCases.removeHandoff(CALLER, SQUAD, "hnd_ab");
    expect(await until(stores, again)).toMatchObject({ refusal: { code: "HANDOFF_NOT_FOUND" } });
  });

  it.each([
    ["from", "mbr_none", "mbr_b"],
    ["to", "mbr_a", "mbr_none"],
    ["to", "mbr_a", "mbr_a"],
  ])("with a wrong end are refused at %s", async (path, from, to) => {
    await team();
    expect(await link(from, to, null)).toMatchObject({
      ok: false,
      refusal: { code: "VALIDATION_ERROR", details: [{ path: [path], message: expect.stringMatching(/./) }] },
    });
  });
});

describe("a squad of another owner is not there for", () => {
  it.each([
    ["a change", () => useCases.changeSquad(STRANGER, SQUAD, { name: "Mine" })],
    ["a deletion", () => useCases.deleteSquad(STRANGER, SQUAD)],
    [
      "a new member",
      () => useCases.addMember(STRANGER, SQUAD, { ...member(ASSISTANT), reservedMemberId: null }),
    ],
    ["a member's change", () => useCases.changeMember(STRANGER, SQUAD, "mbr_a", { position: 3 })],
    ["a member's removal", () => useCases.removeMember(STRANGER, SQUAD, "mbr_a")],
    [
      "a new handoff",
      () => useCases.addHandoff(STRANGER, SQUAD, { ...handoff("mbr_b", "mbr_a"), reservedHandoffId: null }),
    ],
    ["a handoff's change", () => useCases.changeHandoff(STRANGER, SQUAD, "hnd_ab", { enabled: false })],
    ["a handoff's removal", () => useCases.removeHandoff(STRANGER, SQUAD, "hnd_ab")],
  ])("%s", async (_what, attempt) => {
    await team();
    const before = stores.database.events.length;
    expect(await until<unknown>(stores, attempt())).toEqual(NO_SUCH_SQUAD);
    expect(stores.database.events).toHaveLength(before);
  });

  it("a call", async () => {
    await team();
    const first = await stores.directory.assistantVersion(OWNER, ASSISTANT, 1);
    if (first === null) throw new Error("no assistant");
    stores.directory.setOwner("usr_2", {
      active: true,
      plan: { maxConcurrentCalls: 1, maxCallsPerSecond: 1 },
    });
    stores.directory.setPhoneNumber("usr_2", PHONE_NUMBER, { phoneNumber: "+15005550001", active: true });
    stores.directory.publish("usr_2", first);
    const call = useCases.startOutboundCall(STRANGER, {
      reservedCallId: null,
      phoneNumberId: PHONE_NUMBER,
      assistantId: ASSISTANT,
      squadId: SQUAD,
      to: "+12025550100",
      greetingMessage: null,
      specialInstructions: null,
      metadata: {},
    });
    expect(await until(stores, call)).toMatchObject({ refusal: { code: "SQUAD_NOT_FOUND" } });
  });
});

describe("a squad", () => {
  it("is changed, and the event says who did it for whom", async () => {
    await create([]);
    await until(stores, useCases.changeSquad(CALLER, SQUAD, { name: "New", description: "d" }));
    const { owner, actor, correlationId } = CALLER;
    expect(lastEvent()).toMatchObject({
      type: "SquadChanged",
      data: { changes: { name: "New", description: "d" } },
      metadata: { owner, actor, correlationId, causationId: null },
    });
  });

  it("that was deleted is not there for a call", async () => {
    await create([member(ASSISTANT)]);
    await until(stores, useCases.deleteSquad(CALLER, SQUAD));
    const call = useCases.startOutboundCall(CALLER, {
      reservedCallId: null,
      phoneNumberId: PHONE_NUMBER,
      assistantId: ASSISTANT,
      squadId: SQUAD,
      to: "+12025550100",
      greetingMessage: null,
      specialInstructions: null,
      metadata: {},
    });
    expect(await until(stores, call)).toMatchObject({ refusal: { code: "SQUAD_NOT_FOUND" } });
  });

  it("gives a call its members in their order, and only the links that are enabled", async () => {
    await team();
    await link("mbr_b", "mbr_c", null, { enabled: false });
    await until(stores, useCases.changeMember(CALLER, SQUAD, "mbr_a", { position: 9 }));
    const call = useCases.startOutboundCall(CALLER, {
      reservedCallId: "call_1",
      phoneNumberId: PHONE_NUMBER,
      assistantId: ASSISTANT,
      squadId: SQUAD,
      to: "+12025550100",
      greetingMessage: null,
      specialInstructions: null,
      metadata: {},
    });
    await until(stores, call);
    expect(stores.database.streams.get("call-call_1")?.events[0]?.data["squad"]).toMatchObject({
      members: [{ memberId: "mbr_b" }, { memberId: "mbr_c" }, { memberId: "mbr_a" }],
      handoffs: [{ fromAssistantId: ASSISTANT, toAssistantId: OTHER, message: "One moment" }],
    });
  });
});
