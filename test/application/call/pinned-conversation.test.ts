import { describe, expect, it } from "vitest";
import { createUseCasesWorld } from "./pinned-world.ts";

const SQUAD = { name: "Team", description: null };

describe("what a conversation needs", () => {
  it("is stored before the call, with the tools of the assistant as they are", async () => {
    const world = createUseCasesWorld();
    world.tool("tool_1", { name: "Order status", type: "API_REQUEST" });
    world.tool("tool_2", { name: "End call", type: "API_REQUEST" });
    world.publish({ toolIds: ["tool_1", "tool_gone", "tool_2"], fallbackMessage: "Sorry." });
    const pinned = await world.pinnedOf(await world.call());
    expect(pinned).toMatchObject({ version: 1, owner: "usr_1", squadId: null, squadName: null });
    expect(pinned?.speakers).toHaveLength(1);
    expect(pinned?.speakers[0]).toMatchObject({
      memberId: null,
      assistantVersion: 1,
      systemPrompt: "Be brief.",
      fallbackMessage: "Sorry.",
      silenceTimeoutSeconds: 8,
      handoffs: [],
    });
    expect(pinned?.speakers[0]?.tools.map(({ functionName }) => functionName)).toEqual([
      "order_status",
      "end_call_2",
    ]);
  });

  it("lets a tool that ends the call be called so, and no other", async () => {
    const world = createUseCasesWorld();
    world.tool("tool_1", { name: "Order status", type: "API_REQUEST" });
    world.tool("tool_2", { name: "End call", type: "END_CALL" });
    world.publish({ toolIds: ["tool_1", "tool_2"] });
    const pinned = await world.pinnedOf(await world.call());
    expect(pinned?.speakers[0]?.tools.map(({ functionName }) => functionName)).toEqual([
      "order_status",
      "end_call",
    ]);
  });

  it("keeps the name stop_calling for the function that is ours", async () => {
    const world = createUseCasesWorld();
    world.tool("tool_1", { name: "Stop calling", type: "END_CALL" });
    world.publish({ toolIds: ["tool_1"], optOutDigit: "9", optOutMessage: "Done." });
    const pinned = await world.pinnedOf(await world.call());
    expect(pinned?.speakers[0]?.tools.map(({ functionName }) => functionName)).toEqual(["stop_calling_2"]);
    expect(pinned?.speakers[0]).toMatchObject({
      optOut: "listen",
      optOutDigit: "9",
      optOutMessage: "Done.",
    });
  });

  it("keeps the name call_back_later for the function that is ours", async () => {
    const world = createUseCasesWorld();
    world.tool("tool_1", { name: "Call back later", type: "API_REQUEST" });
    world.tool("tool_2", { name: "Call back later", type: "END_CALL" });
    world.publish({ toolIds: ["tool_1", "tool_2"] });
    const pinned = await world.pinnedOf(await world.call());
    expect(pinned?.speakers[0]?.tools.map(({ functionName }) => functionName)).toEqual([
      "call_back_later_2",
      "call_back_later_3",
    ]);
  });

  it.for(["stop_calling", "call_back_later"])(
    "keeps %s so from a handoff that was named like it, also beside a tool with the next name",
    async (ours) => {
      const world = createUseCasesWorld();
      world.tool("tool_1", { name: `${ours} 2`, type: "API_REQUEST" });
      world.publish({ toolIds: ["tool_1"] });
      world.publishOther();
      const squadId = await world.squad({ ...SQUAD, overrideSettings: {} }, {}, ours);
      const pinned = await world.pinnedOf(await world.call({ squadId }));
      const [speaker] = pinned?.speakers ?? [];
      expect(speaker?.handoffs.map(({ toolName }) => toolName)).toEqual([`${ours}_2`]);
      expect(speaker?.tools.map(({ functionName }) => functionName)).toEqual([`${ours}_2_2`]);
    },
  );

  it("is the same row for the same version, and another one when a tool has changed", async () => {
    const world = createUseCasesWorld();
    world.tool("tool_1", { name: "Order" });
    world.publish({ toolIds: ["tool_1"] });
    const [first, second] = [await world.call(), await world.call()];
    world.tool("tool_1", { name: "Order", description: "New" });
    const third = await world.call();
    expect(first.pinned).toMatch(/^[0-9a-f]{64}$/);
    expect([second.pinned, third.pinned === first.pinned]).toEqual([first.pinned, false]);
  });

  it("of a squad begins with who speaks first, a member's settings before the squad's, the squad's before the assistant's", async () => {
    const world = createUseCasesWorld();
    world.publish({ model: "own", voice: "own", language: "own" });
    world.publishOther();
    const squadId = await world.squad(
      { ...SQUAD, overrideSettings: { model: "squad", voice: "squad", temperature: 0.1, n: 1 } },
      { voice: "member", temperature: null, greetingMessage: "Hi from the team" },
    );
    const call = await world.call({ squadId, greetingMessage: null });
    const pinned = await world.pinnedOf(call);
    expect(pinned?.squadName).toBe("Team");
    expect(pinned?.speakers.map(({ assistantId }) => assistantId)).toEqual(["ast_1", "ast_2"]);
    expect(pinned?.speakers[0]).toMatchObject({
      model: "squad",
      voice: "member",
      temperature: null,
      language: "own",
      greetingMessage: "Hi from the team",
      handoffs: [
        {
          toMemberId: pinned?.speakers[1]?.memberId,
          toolName: "handoff_to_other",
          description: "When they want to pay",
          contextMode: "last_n",
          contextMaxMessages: 4,
          variables: [{ name: "amount", type: "number", description: "How much", required: true }],
        },
      ],
    });
    expect(pinned?.speakers[1]).toMatchObject({
      model: "squad",
      voice: "squad",
      temperature: 0.1,
      handoffs: [],
    });
    expect(call).toMatchObject({
      greetingMessage: "Hi from the team",
      assistant: { greetingMessage: "Hi from the team" },
    });
  });

  it("of a campaign is pinned when it is made: later changes of its tools reach none of its calls", async () => {
    const world = createUseCasesWorld();
    world.tool("tool_1", { name: "Order" });
    world.publish({ toolIds: ["tool_1"] });
    const campaignId = await world.campaign();
    world.tool("tool_1", { name: "Changed" });
    const dialed = await world.dialed(campaignId);
    expect(dialed).toHaveLength(2);
    expect(new Set(dialed.map(({ pinned }) => pinned)).size).toBe(1);
    const pinned = dialed[0] === undefined ? null : await world.pinnedOf(dialed[0]);
    expect(pinned?.speakers[0]?.tools).toMatchObject([{ name: "Order" }]);
    const tested = await world.testCall(campaignId);
    expect(tested.pinned).toBe(dialed[0]?.pinned);
  });

  it("of a campaign from before is pinned at its first dial, from the version that it pinned", async () => {
    const world = createUseCasesWorld();
    world.publish({ systemPrompt: "First." });
    world.publishOther();
    const squadId = await world.squad({ ...SQUAD, overrideSettings: {} }, {});
    const campaignId = await world.campaign({ squadId });
    world.forgetPin();
    world.publish({ version: 2, systemPrompt: "Second." });
    const [one, two] = await world.dialed(campaignId);
    expect(one?.pinned).toBe(two?.pinned);
    const pinned = one === undefined ? null : await world.pinnedOf(one);
    expect(pinned?.speakers).toMatchObject([
      {
        assistantId: "ast_1",
        systemPrompt: "First.",
        handoffs: [{ toolName: "handoff_to_other", description: "Hands the call over to Other" }],
      },
      { assistantId: "ast_2", handoffs: [] },
    ]);
  });
});
