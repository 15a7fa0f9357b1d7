import { describe, expect, it } from "vitest";
import { executeCommand, noSuchCampaign } from "../../../../application/campaign/runner/execute-command.ts";
import type { QueuedCommand } from "../../../../application/campaign/runner/queued-command.ts";
import type { CampaignEvent } from "../../../../domain/campaign/events.ts";
import { notBefore } from "../../../../domain/shared/instant.ts";
import {
  at,
  campaignId,
  contact,
  created,
  dialed,
  imported,
  paused,
  running,
  succeeded,
} from "../../../domain/campaign/example-campaign.ts";
import { CALLER, openEvents } from "../../engine-world.ts";
import { runnerParts } from "./runner-parts.ts";
import { STREAM } from "./runner-world.ts";
import { toldCampaign } from "./told-campaign.ts";

const TWO = [contact(1), contact(2)];
const ORIGIN = { ...CALLER, causationId: null };

async function campaignAt(events: readonly CampaignEvent[], credits = 100) {
  let isReady = () => {};
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  let failure: Error | null = null;
  const parts = runnerParts(undefined, {
    credits,
    wrapStore: (store) => ({
      ...store,
      append: async (...args) => {
        if (failure !== null) throw failure;
        return store.append(...args);
      },
    }),
  });
  if (events.length > 0) await parts.store(STREAM, ...events);
  const { campaign, told } = toldCampaign("cmp_1", { ready });
  return {
    ...parts,
    told,
    isReady,
    fails: (error: Error) => {
      failure = error;
    },
    execute: async (command: QueuedCommand) => {
      isReady();
      return executeCommand(parts.deps, campaign, command, ORIGIN);
    },
    executeWhenReady: (command: QueuedCommand) => executeCommand(parts.deps, campaign, command, ORIGIN),
    last: () => openEvents(parts.stores, STREAM).at(-1),
  };
}

describe("a user's command on a campaign", () => {
  it.each([
    ["PauseCampaign", { type: "PauseCampaign" }, running(TWO), "CampaignPaused"],
    [
      "CancelCampaign",
      { type: "CancelCampaign", hangUpActiveCalls: false },
      running(TWO),
      "CampaignCancelled",
    ],
  ] as const)(
    "%s is done when every dial has begun that was written down before it",
    async (_, command, events, type) => {
      const { execute, told, last, log } = await campaignAt(events);
      expect(await execute(command)).toEqual({ ok: true, value: null, position: await log.head() });
      expect([last()?.type, told]).toEqual([type, ["wake", "dialsBegun"]]);
      expect(last()).toMatchObject({ metadata: { actor: "key_1", correlationId: "req_1" } });
    },
  );

  it.each([
    ["StartCampaign", { type: "StartCampaign" }, created(TWO), "CampaignStarted", {}],
    [
      "ResumeCampaign",
      { type: "ResumeCampaign" },
      [...running(TWO), paused("manual")],
      "CampaignResumed",
      { by: "api" },
    ],
    [
      "SkipContact",
      { type: "SkipContact", contactId: "ctc_2" },
      running(TWO),
      "ContactSkipped",
      { contactId: "ctc_2", reason: "by_request" },
    ],
    [
      "ChangeSettings",
      { type: "ChangeSettings", changes: { name: "Other" } },
      created(TWO),
      "CampaignSettingsChanged",
      {},
    ],
  ] as const)("%s waits for no dial", async (_, command, events, type, data) => {
    const { execute, told, last } = await campaignAt(events);
    expect(await execute(command)).toMatchObject({ ok: true });
    const now = notBefore(events.at(-1)?.data.at ?? null, at(0));
    expect([last(), told]).toMatchObject([{ type, data: { ...data, at: now } }, ["wake"]]);
  });

  it("waits until the campaign is taken over", async () => {
    const { executeWhenReady, isReady, last } = await campaignAt(running(TWO));
    const paused = executeWhenReady({ type: "PauseCampaign" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(last()?.type).toBe("CampaignStarted");
    isReady();
    await paused;
    expect(last()?.type).toBe("CampaignPaused");
  });

  it("is judged by the world of this moment", async () => {
    const { execute, told } = await campaignAt(created(TWO), 0);
    expect(await execute({ type: "StartCampaign" })).toMatchObject({
      ok: false,
      refusal: { code: "INSUFFICIENT_CREDITS" },
    });
    expect(told).toEqual([]);
  });

  it("is refused where there is no such campaign", async () => {
    const { execute } = await campaignAt([]);
    const gone = { ok: false, refusal: { code: "CAMPAIGN_NOT_FOUND" } };
    expect(await execute({ type: "StartCampaign" })).toMatchObject(gone);
    expect(noSuchCampaign()).toMatchObject({
      ok: false,
      refusal: { code: "CAMPAIGN_NOT_FOUND", message: "Campaign not found" },
    });
  });

  it("that the log does not take fails", async () => {
    const { execute, fails } = await campaignAt(running(TWO));
    fails(new TypeError("away"));
    await expect(execute({ type: "PauseCampaign" })).rejects.toThrow("away");
  });
});

describe("a call that is given up", () => {
  it("ends its attempt, whatever this process remembers: the number is not dialled again", async () => {
    const { execute, store, deps, stores, told } = await campaignAt(running(TWO));
    await deps.aggregates.campaigns.query(STREAM, () => null);
    await store(STREAM, dialed(1), dialed(2));
    await execute({ type: "GiveUpCall", callId: "call_2" });
    await execute({ type: "GiveUpCall", callId: "call_1" });
    const unknown = { endReason: "outcome_unknown", durationSeconds: null, cost: 0, at: at(2) };
    expect(
      openEvents(stores, STREAM)
        .slice(-3)
        .map(({ type, data }) => [type, data]),
    ).toMatchObject([
      ["ContactAttemptFailed", { ...unknown, contactId: "ctc_2", callId: "call_2" }],
      ["ContactAttemptFailed", { ...unknown, contactId: "ctc_1", callId: "call_1" }],
      ["CampaignCompleted", {}],
    ]);
    expect(told).toEqual(["wake", "wake"]);
  });

  it("keeps the outcome that it has, and completes the campaign with it", async () => {
    const { execute, last } = await campaignAt([...running([contact(1)]), dialed(1), succeeded(1)]);
    expect(await execute({ type: "GiveUpCall", callId: "call_1" })).toMatchObject({ ok: true });
    expect(last()?.type).toBe("CampaignCompleted");
  });

  it("that the campaign never had changes nothing", async () => {
    const added = {
      campaignId,
      importId: "imp_2",
      added: 1,
      rejected: { count: 0, items: [] },
      at: at(3),
    } as const;
    const more = [imported([contact(2)], "imp_2"), { type: "ContactsAdded", data: added } as const];
    const { execute, last } = await campaignAt([...running([contact(1)]), ...more, dialed(2)]);
    await execute({ type: "GiveUpCall", callId: "call_9" });
    expect(last()?.type).toBe("ContactDialed");
  });
});
