import { describe, expect, it } from "vitest";
import type { EventStore } from "../../../application/ports/event-store.ts";
import type { HandoffInput, MemberInput } from "../../../application/squad/squad-requests.ts";
import type { AssistantId, CallId, HandoffId } from "../../../domain/shared/ids.ts";
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

function member(assistantId: string): MemberInput {
  return { assistantId, assistantVersion: null, isEntry: false, position: null, overrideSettings: {} };
}

const HANDOFF: HandoffInput = {
  from: ASSISTANT,
  to: OTHER,
  toolName: null,
  description: "When the customer wants to pay",
  message: "One moment",
  contextMode: "all",
  contextMaxMessages: null,
  variables: [],
  enabled: true,
};

async function world() {
  const stores = sharedStores();
  const first = await stores.directory.assistantVersion(OWNER, ASSISTANT, 1);
  if (first === null) throw new Error("no assistant");
  stores.directory.publish(OWNER, { ...first, assistantId: OTHER, name: "Billing & Payments" });
  return { stores, ...engineProcess(stores) };
}

function squad(stores: Stores, useCases: Awaited<ReturnType<typeof world>>["useCases"]) {
  const reserved = {
    reservedSquadId: "sqd_1",
    name: "Team",
    description: null,
    overrideSettings: {},
  } as const;
  const members = [member(ASSISTANT), member(OTHER)];
  return until(stores, useCases.createSquad(CALLER, { ...reserved, members, handoffs: [HANDOFF] }));
}

async function handoffsOf(stores: Stores): Promise<readonly HandoffId[]> {
  const { aggregates } = engineProcess(stores, { processId: "reader", works: false });
  return aggregates.squads.query("squad-sqd_1", ({ handoffs }) => [...handoffs.keys()]);
}

describe("a squad", () => {
  it("is made whole in one append, and a second time not at all", async () => {
    const { stores, useCases } = await world();
    expect(await squad(stores, useCases)).toMatchObject({ ok: true, value: { squadId: "sqd_1" } });
    await squad(stores, useCases);
    expect(stores.database.events.map(({ type }) => type)).toEqual([
      "SquadCreated",
      "SquadMemberAdded",
      "SquadMemberAdded",
      "SquadHandoffAdded",
    ]);
  });

  it("names a handoff's tool after the assistant it leads to", async () => {
    const { stores, useCases, aggregates } = await world();
    await squad(stores, useCases);
    const names = await aggregates.squads.query("squad-sqd_1", ({ handoffs }) =>
      [...handoffs.values()].map(({ toolName }) => toolName),
    );
    expect(names).toEqual(["handoff_to_billing_payments"]);
  });

  it("refuses an assistant that does not exist, at its path", async () => {
    const { stores, useCases } = await world();
    await squad(stores, useCases);
    const added = useCases.addMember(CALLER, "sqd_1", { ...member("ast_none"), reservedMemberId: null });
    expect(await until(stores, added)).toMatchObject({
      refusal: { code: "ASSISTANT_NOT_FOUND", details: [{ path: ["assistantId"] }] },
    });
  });

  it("refuses what its rules forbid, in the words of the interface", async () => {
    const { stores, useCases } = await world();
    await squad(stores, useCases);
    const again = useCases.addMember(CALLER, "sqd_1", { ...member(OTHER), reservedMemberId: null });
    expect(await until(stores, again)).toMatchObject({ refusal: { code: "SQUAD_MEMBER_EXISTS" } });
    const link = useCases.addHandoff(CALLER, "sqd_1", { ...HANDOFF, reservedHandoffId: null });
    expect(await until(stores, link)).toMatchObject({ refusal: { code: "HANDOFF_EXISTS" } });
  });

  it("is gone for its owner once deleted, and was never there for others", async () => {
    const { stores, useCases } = await world();
    await squad(stores, useCases);
    const stranger = useCases.deleteSquad({ ...CALLER, owner: "usr_2" }, "sqd_1");
    expect(await until(stores, stranger)).toMatchObject({ refusal: { code: "SQUAD_NOT_FOUND" } });
    expect(await until(stores, useCases.deleteSquad(CALLER, "sqd_1"))).toMatchObject({ ok: true });
    const gone = useCases.changeSquad(CALLER, "sqd_1", { name: "New" });
    expect(await until(stores, gone)).toMatchObject({ refusal: { code: "SQUAD_NOT_FOUND" } });
  });

  it("is pinned by a call as it is then, with the member that was named speaking first", async () => {
    const { stores, useCases } = await world();
    await squad(stores, useCases);
    const call = useCases.startOutboundCall(CALLER, {
      reservedCallId: "call_1",
      phoneNumberId: PHONE_NUMBER,
      assistantId: OTHER,
      squadId: "sqd_1",
      to: "+12025550100",
      greetingMessage: null,
      specialInstructions: null,
      metadata: {},
    });
    await until(stores, call);
    expect(stores.database.streams.get("call-call_1")?.events[0]?.data).toMatchObject({
      assistant: { assistantId: OTHER },
      squad: { squadId: "sqd_1", handoffs: [{ fromAssistantId: ASSISTANT, toAssistantId: OTHER }] },
    });
  });

  it("is pinned by a call also where it is as large as it may be, with the longest texts of all else", async () => {
    const { stores, useCases } = await world();
    const [text, long] = [4 * 1_024, 32 * 1_024].map((bytes) => "x".repeat(bytes));
    const first = await stores.directory.assistantVersion(OWNER, ASSISTANT, 1);
    if (first === null || text === undefined || long === undefined) throw new Error("no assistant");
    const members = Array.from({ length: 20 }, (_, index): AssistantId => `ast_${index + 10}`);
    for (const assistantId of members)
      stores.directory.publish(OWNER, { ...first, assistantId, greetingMessage: text, systemPrompt: long });
    const links = members.flatMap((from, index) =>
      [1, 2, 3].map((step) => ({ ...HANDOFF, from, to: members[(index + step) % 20] ?? "", message: text })),
    );
    const made = useCases.createSquad(CALLER, {
      reservedSquadId: "sqd_1",
      name: "Team",
      description: null,
      overrideSettings: {},
      members: members.map(member),
      handoffs: links.slice(0, 59),
    });
    expect(await until(stores, made)).toMatchObject({ ok: true });
    const call = useCases.startOutboundCall(CALLER, {
      reservedCallId: "call_1",
      phoneNumberId: PHONE_NUMBER,
      assistantId: "ast_10",
      squadId: "sqd_1",
      to: "+12025550100",
      greetingMessage: text,
      specialInstructions: long,
      metadata: { note: "x".repeat(16_000) },
    });
    expect(await until(stores, call)).toMatchObject({ ok: true });
    const more = { reservedHandoffId: null, ...HANDOFF, ...links[59], message: text };
    expect(await until(stores, useCases.addHandoff(CALLER, "sqd_1", more))).toMatchObject({
      refusal: { code: "SQUAD_LIMIT_REACHED" },
    });
  });

  it("is refused to a call where the tools of all have more than 2 MiB together", async () => {
    const { stores, useCases } = await world();
    const tools = Array.from({ length: 33 }, (_, index) => ({
      toolId: `tool_${index}` as const,
      name: `t${index}`,
      type: "API_REQUEST" as const,
      description: "",
      config: { url: "https://a.example", method: "GET", headers: { a: "x".repeat(32_768) } },
    }));
    for (const tool of tools) stores.directory.setTool(OWNER, tool);
    const toolIds = tools.map(({ toolId }) => toolId);
    for (const assistantId of [ASSISTANT, OTHER]) {
      const version = await stores.directory.assistantVersion(OWNER, assistantId, 1);
      if (version !== null) stores.directory.publish(OWNER, { ...version, toolIds });
    }
    await squad(stores, useCases);
    const call = (squadId: string | null) =>
      useCases.startOutboundCall(CALLER, {
        reservedCallId: null,
        phoneNumberId: PHONE_NUMBER,
        assistantId: OTHER,
        squadId,
        to: "+12025550100",
        greetingMessage: null,
        specialInstructions: null,
        metadata: {},
      });
    expect(await until(stores, call("sqd_1"))).toMatchObject({
      refusal: { code: "VALIDATION_ERROR", details: [{ path: ["squadId"] }] },
    });
    expect(await until(stores, call(null))).toMatchObject({ ok: true });
    for (const tool of tools)
      stores.directory.setTool(OWNER, { ...tool, config: { ...tool.config, body: "x".repeat(32_768) } });
    expect(await until(stores, call(null))).toMatchObject({
      refusal: { code: "VALIDATION_ERROR", details: [{ path: ["assistantId"] }] },
    });
  });

  it("is pinned by a call as another process has left it", async () => {
    const { stores, useCases } = await world();
    await squad(stores, useCases);
    const call = (reservedCallId: CallId) =>
      until(
        stores,
        useCases.startOutboundCall(CALLER, {
          reservedCallId,
          phoneNumberId: PHONE_NUMBER,
          assistantId: ASSISTANT,
          squadId: "sqd_1",
          to: "+12025550100",
          greetingMessage: null,
          specialInstructions: null,
          metadata: {},
        }),
      );
    await call("call_1");
    const [link] = await handoffsOf(stores);
    const other = engineProcess(stores, { processId: "two", works: false });
    await until(stores, other.useCases.removeHandoff(CALLER, "sqd_1", link ?? "hnd_none"));
    await call("call_2");
    expect(stores.database.streams.get("call-call_2")?.events[0]?.data["squad"]).toMatchObject({
      handoffs: [],
    });
  });

  it("that another process has deleted is not there, whatever else is wrong with a request", async () => {
    const { stores, useCases } = await world();
    await squad(stores, useCases);
    const other = engineProcess(stores, { processId: "two", works: false });
    await until(stores, other.useCases.deleteSquad(CALLER, "sqd_1"));
    const late = useCases.addMember(CALLER, "sqd_1", { ...member("ast_none"), reservedMemberId: null });
    expect(await until(stores, late)).toMatchObject({ refusal: { code: "SQUAD_NOT_FOUND" } });
  });

  it("that cannot be stored for a fault of ours fails, and is not refused", async () => {
    const { stores } = await world();
    const wrapStore = (store: EventStore): EventStore => ({
      ...store,
      append: async () => {
        throw new TypeError("broken");
      },
    });
    const broken = engineProcess(stores, { processId: "two", works: false, wrapStore });
    await expect(squad(stores, broken.useCases)).rejects.toThrow("broken");
  });
});
