import { beforeEach, describe, expect, it } from "vitest";
import { createCampaignConversations } from "../../../application/campaign/campaign-conversation.ts";
import type { PinnedSquad } from "../../../domain/call/pinned.ts";
import type { CampaignPins } from "../../../domain/campaign/state.ts";
import type { AssistantId } from "../../../domain/shared/ids.ts";
import { creation } from "../../domain/campaign/example-campaign.ts";
import { ASSISTANT, OWNER, type Stores, sharedStores } from "../engine-world.ts";

const OTHER: AssistantId = "ast_2";
const MEMBER = { assistantVersion: 1, greetingMessage: "Hello" };
const SQUAD: PinnedSquad = {
  squadId: "sqd_1",
  members: [
    { ...MEMBER, memberId: "mbr_2", assistantId: OTHER, name: "Bob" },
    { ...MEMBER, memberId: "mbr_1", assistantId: ASSISTANT, name: "Ada" },
  ],
  handoffs: [
    { fromAssistantId: ASSISTANT, toAssistantId: OTHER, toolName: "to_bob", message: "One moment" },
    { fromAssistantId: OTHER, toAssistantId: ASSISTANT, toolName: "to_ada", message: null },
    { fromAssistantId: ASSISTANT, toAssistantId: "ast_gone", toolName: "to_nobody", message: null },
  ],
};

let stores: Stores;
let asked: string[];
beforeEach(async () => {
  stores = sharedStores();
  asked = [];
  const first = await stores.directory.assistantVersion(OWNER, ASSISTANT, 1);
  if (first === null) throw new Error("no assistant");
  stores.directory.publish(OWNER, { ...first, assistantId: OTHER, name: "Bob" });
});

function conversations(fail: () => Error | null = () => null) {
  const directory: Stores["directory"] = {
    ...stores.directory,
    assistantVersion: async (owner, id, version) => {
      asked.push(`${id}/${version}`);
      const error = fail();
      if (error !== null) throw error;
      return stores.directory.assistantVersion(owner, id, version);
    },
  };
  return createCampaignConversations({ directory, pinnedConversations: stores.pinnedConversations });
}

/** As campaigns were before their conversations were pinned. */
function older(changes: Partial<CampaignPins> = {}): CampaignPins {
  return { ...creation(1), ...changes };
}
const read = async (key: string | null) => (key === null ? null : stores.pinnedConversations.read(key));

describe("the conversation of a campaign that pinned none", () => {
  it("is pinned by the versions that it pinned, once", async () => {
    const of = conversations();
    const key = await of(older());
    expect(await of(older())).toBe(key);
    expect(asked).toEqual(["ast_1/1"]);
    expect(await read(key)).toMatchObject({
      squadId: null,
      speakers: [{ memberId: null, assistantVersion: 1 }],
    });
  });

  it("is that of each campaign", async () => {
    const of = conversations();
    await of(older());
    await of(older({ campaignId: "cmp_2" }));
    expect(asked).toHaveLength(2);
  });

  it("of a squad begins with who speaks first, and each knows whom it can hand over to", async () => {
    const pinned = await read(await conversations()(older({ squad: SQUAD })));
    expect(pinned).toMatchObject({ squadId: "sqd_1", squadName: "" });
    expect(pinned?.speakers.map(({ memberId, handoffs }) => [memberId, handoffs])).toEqual([
      ["mbr_1", [link("mbr_2", "to_bob", "Bob", "One moment")]],
      ["mbr_2", [link("mbr_1", "to_ada", "Ada", null)]],
    ]);
  });

  it("is none when an assistant that it pinned is gone", async () => {
    expect(
      await conversations()(older({ assistant: { ...MEMBER, assistantId: "ast_gone", name: "" } })),
    ).toBeNull();
  });

  it("is asked for again after a failure", async () => {
    let away = true;
    const of = conversations(() => (away ? new Error("away") : null));
    await expect(of(older())).rejects.toThrow("away");
    away = false;
    expect(await of(older())).not.toBeNull();
  });
});

it("a campaign that pinned its conversation has that one, and nobody is asked", async () => {
  expect(await conversations()(older({ pinned: "abc" }))).toBe("abc");
  expect(asked).toEqual([]);
});

function link(toMemberId: string, toolName: string, name: string, message: string | null) {
  return {
    toMemberId,
    toolName,
    description: `Hands the call over to ${name}`,
    message,
    contextMode: "all",
    contextMaxMessages: null,
    variables: [],
  };
}
