import { describe, expect, it } from "vitest";
import { modelTokensUsedUp } from "../../application/model-tokens.ts";
import {
  isAssistantId,
  isContactId,
  isMemberId,
  isPhoneNumberId,
  isSquadId,
} from "../../application/parse-id.ts";
import { movingClock } from "../support/moving-clock.ts";
import { ASSISTANT, CALLER, engineProcess, sharedStores, until } from "./engine-world.ts";
import { campaignRequest, SINGLE_CALL } from "./example-request.ts";

describe("the use cases of a process", () => {
  it("decide nothing while the process may not, and say why", async () => {
    const stores = sharedStores();
    let isOpen = false;
    const requireOpen = () => {
      if (!isOpen) throw new Error("The log is not open yet");
    };
    const { useCases } = engineProcess(stores, { requireOpen });
    for (const refused of [
      useCases.startOutboundCall(CALLER, SINGLE_CALL),
      useCases.createCampaign(CALLER, campaignRequest(1)),
      useCases.pauseCampaign(CALLER, "cmp_1"),
      useCases.deleteSquad(CALLER, "sqd_1"),
    ])
      await expect(refused).rejects.toThrow("The log is not open yet");
    expect(stores.database.events).toEqual([]);
    isOpen = true;
    expect((await until(stores, useCases.createCampaign(CALLER, campaignRequest(1)))).ok).toBe(true);
  });

  it("refuse a single call while nobody is dialled, and take a campaign all the same", async () => {
    const stores = sharedStores();
    const { placed, useCases } = engineProcess(stores, { dialsNobody: () => "Nobody is dialled" });
    const outcome = await useCases.startOutboundCall(CALLER, SINGLE_CALL);
    expect(outcome.ok ? null : outcome.refusal).toMatchObject({
      code: "CARRIER_UNAVAILABLE",
      message: "Nobody is dialled",
    });
    expect((await until(stores, useCases.createCampaign(CALLER, campaignRequest(1)))).ok).toBe(true);
    expect(placed).toEqual([]);
  });

  it("answer within 25 s, however long a store lets them wait", async () => {
    const stores = sharedStores();
    let isFrozen = false;
    const { useCases } = engineProcess(stores, {
      wrapStore: (store) => ({
        ...store,
        append: async (...given) => {
          while (isFrozen) await stores.clock.sleep(1_000);
          return store.append(...given);
        },
      }),
    });
    const created = await until(stores, useCases.createCampaign(CALLER, campaignRequest(1)));
    if (!created.ok) throw new Error("not created");
    isFrozen = true;
    const { campaignId } = created.value;
    const began = stores.clock.monotonicMillis();
    const commands = await until(
      stores,
      Promise.allSettled([
        useCases.createCampaign(CALLER, campaignRequest(1, { reservedCampaignId: null })),
        useCases.startOutboundCall(CALLER, SINGLE_CALL),
        useCases.cancelCampaign(CALLER, campaignId, { hangUpActiveCalls: false }),
      ]),
    );
    expect(commands.map(({ status }) => status)).toEqual(commands.map(() => "rejected"));
    expect(stores.clock.monotonicMillis() - began).toBeLessThanOrEqual(26_000);
  });

  it("show the texts of a call without storing anything", async () => {
    const stores = sharedStores();
    const { useCases } = engineProcess(stores);
    const before = stores.database.events.length;
    const shown = await until(
      stores,
      useCases.previewTexts(CALLER, {
        assistantId: ASSISTANT,
        greetingMessage: "Hello {{name}}",
        specialInstructions: null,
        contacts: [{ name: "Ada", customData: {} }],
        planned: null,
      }),
    );
    expect(shown.ok && shown.value.items).toEqual([
      { greetingMessage: "Hello Ada", specialInstructions: null },
    ]);
    expect(stores.database.events).toHaveLength(before);
  });
});

describe("text that may be an id", () => {
  it("is one only of the kind that its beginning names", () => {
    const kinds = [isAssistantId, isPhoneNumberId, isSquadId, isMemberId, isContactId];
    const texts = ["ast_1", "pn_1", "sqd_1", "mbr_1", "ctc_1"];
    const found = kinds.map((isOfKind) => texts.filter((text) => isOfKind(text)));
    expect(found).toEqual(texts.map((text) => [text]));
  });
});

describe("the tokens of a day", () => {
  const clock = movingClock();
  it("are not used up for an owner who is not known, nor where nobody counts", async () => {
    const tokensOfDay = async () => 5_000;
    const unknown = { owner: async () => null };
    expect(await modelTokensUsedUp({ directory: unknown, clock, tokensOfDay }, "usr_none")).toBe(false);
    const { directory } = sharedStores();
    directory.setOwner("usr_1", {
      active: true,
      plan: { maxConcurrentCalls: 1, maxCallsPerSecond: 1, maxModelTokensPerDay: 1 },
    });
    expect(await modelTokensUsedUp({ directory, clock }, "usr_1")).toBe(false);
    expect(await modelTokensUsedUp({ directory, clock, tokensOfDay }, "usr_1")).toBe(true);
  });
});
