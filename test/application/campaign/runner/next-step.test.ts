import { describe, expect, it } from "vitest";
import { nextStep } from "../../../../application/campaign/runner/next-step.ts";
import type { HandleOptions } from "../../../../application/log/command-queue.ts";
import type { CampaignEvent } from "../../../../domain/campaign/events.ts";
import {
  at,
  campaignId,
  contact,
  created,
  dialed,
  paused,
  running,
  succeeded,
} from "../../../domain/campaign/example-campaign.ts";
import { OWNER, openEvents, PHONE_NUMBER } from "../../engine-world.ts";
import { runnerParts, runOf } from "./runner-parts.ts";
import { STREAM } from "./runner-world.ts";

const NOW = at(0);

/** A campaign that stands like this. `idle`: somebody was quicker, its commands change nothing any more. */
async function campaignAt(
  events: readonly CampaignEvent[],
  options: { credits?: number; idle?: boolean } = {},
) {
  const withdrawn: string[] = [];
  const hungUp: string[] = [];
  const owned: (HandleOptions | undefined)[] = [];
  const parts = runnerParts(
    ({ admission, aggregates }) => ({
      admission: { ...admission, withdrawDemand: async (id) => void withdrawn.push(id) },
      hangUp: async (callId) => void hungUp.push(callId),
      aggregates: {
        ...aggregates,
        campaigns: {
          ...aggregates.campaigns,
          handle: async (stream, commands, origin, how) => {
            owned.push(how);
            if (options.idle === true) return { events: [], revision: 0, position: "0" };
            return aggregates.campaigns.handle(stream, commands, origin, how);
          },
        },
      },
    }),
    { credits: options.credits ?? 100 },
  );
  await parts.store(STREAM, ...events);
  const { run, begun } = runOf();
  Object.assign(run, { dueSince: at(-9), oldestDueSince: at(-9) });
  return {
    ...parts,
    run,
    begun,
    withdrawn,
    hungUp,
    owned,
    step: () => nextStep(parts.deps, run),
    last: () => openEvents(parts.stores, STREAM).at(-1),
  };
}

const ONE = [contact(1)];

describe("a campaign that needs nobody any more", () => {
  it.each([
    ["not started", created(ONE)],
    [
      "completed",
      [
        ...running(ONE),
        dialed(1),
        succeeded(1),
        { type: "CampaignCompleted", data: { campaignId, at: at(2) } },
      ],
    ],
  ] as const)("because it is %s is let go, and wants no slots", async (_, events) => {
    const { step, withdrawn, run } = await campaignAt(events);
    expect([await step(), withdrawn, run.oldestDueSince]).toEqual([{ kind: "done" }, ["cmp_1"], null]);
  });
});

describe("a campaign with nobody left to call", () => {
  it("waits for its last call", async () => {
    const { step, last } = await campaignAt([...running(ONE), dialed(1)]);
    expect([await step(), last()?.type]).toEqual([{ kind: "wait", at: null }, "ContactDialed"]);
  });

  it("completes, and looks again at once", async () => {
    const { step, last, owned } = await campaignAt([...running(ONE), dialed(1), succeeded(1)]);
    expect(await step()).toEqual({ kind: "wait", at: NOW });
    expect(last()).toMatchObject({
      type: "CampaignCompleted",
      metadata: { actor: "process:campaign-runner" },
    });
    expect(owned).toEqual([{ owned: true }]);
  });

  it("waits to be woken when it turns out that there is somebody", async () => {
    const { step } = await campaignAt([...running(ONE), dialed(1), succeeded(1)], { idle: true });
    expect(await step()).toEqual({ kind: "wait", at: null });
  });
});

it("a cancelled campaign asks for the end of its calls, and waits for it", async () => {
  const cancelled = {
    type: "CampaignCancelled",
    data: { campaignId, at: at(3), hangUpActiveCalls: true },
  } as const;
  const { step, hungUp } = await campaignAt([...running(ONE), dialed(1), cancelled]);
  expect([await step(), hungUp]).toEqual([{ kind: "wait", at: null }, ["call_1"]]);
});

it("a campaign whose time comes later waits for that", async () => {
  const { step } = await campaignAt(created(ONE, { startAt: at(77) }));
  expect(await step()).toEqual({ kind: "wait", at: at(77) });
});

it("a running campaign dials whoever is due, through what its number calls through", async () => {
  const { stores, step, run, begun, last } = await campaignAt(running(ONE));
  const number = { phoneNumber: "+15005550000", active: true, connectionId: "conn_1" } as const;
  stores.directory.setPhoneNumber(OWNER, PHONE_NUMBER, number);
  expect(await step()).toEqual({ kind: "wait", at: NOW });
  expect([begun, last()?.type]).toMatchObject([[{ connectionId: "conn_1" }], "ContactDialed"]);
  // It is not yet told that nobody waits any more: they have waited since then.
  expect(run.dueSince).toBe(at(-9));
});

describe("a campaign whose time has come", () => {
  const due = created(ONE, { startAt: at(-1) });

  it("is started, and looks again at once", async () => {
    const { step, last, owned } = await campaignAt(due);
    expect([await step(), last()?.type]).toEqual([{ kind: "wait", at: NOW }, "CampaignStarted"]);
    expect(owned).toEqual([{ owned: true }]);
  });

  it("is not started for an owner who is not there: that is asked again in five seconds", async () => {
    const { run, deps, last } = await campaignAt(due);
    const directory = { ...deps.directory, owner: async () => null };
    expect(await nextStep({ ...deps, directory }, run)).toEqual({ kind: "wait", at: at(5) });
    expect(last()?.type).toBe("CampaignCreated");
  });
});

describe("a campaign that may not go on", () => {
  it("is paused, wants no slots, and looks again at once", async () => {
    const { step, last, withdrawn, owned } = await campaignAt(running(ONE), { credits: 0 });
    expect(await step()).toEqual({ kind: "wait", at: NOW });
    expect(last()).toMatchObject({ type: "CampaignPaused", data: { reason: "insufficient_credits" } });
    expect([withdrawn, owned]).toEqual([["cmp_1"], [{ owned: true }]]);
  });

  it("is asked for again in five seconds while that is so", async () => {
    const { step, last, withdrawn, owned, run } = await campaignAt(
      [...running(ONE), paused("insufficient_credits")],
      { credits: 0 },
    );
    expect([await step(), run.oldestDueSince]).toEqual([{ kind: "wait", at: at(5) }, null]);
    expect([last()?.type, withdrawn, owned]).toEqual(["CampaignPaused", [], []]);
  });

  it("is resumed when that is over, wants slots, and looks again at once", async () => {
    const { step, last, withdrawn } = await campaignAt([...running(ONE), paused("insufficient_credits")]);
    expect([await step(), withdrawn]).toEqual([{ kind: "wait", at: NOW }, []]);
    expect(last()).toMatchObject({ type: "CampaignResumed", data: { by: "system" } });
  });

  it("looks again later when somebody else was quicker", async () => {
    const stands = await campaignAt([...running(ONE), paused("insufficient_credits")], { idle: true });
    expect(await stands.step()).toEqual({ kind: "wait", at: at(5) });
  });

  it("waits for its call window until that opens", async () => {
    const window = { start: 15, end: 18 };
    const opens = "2026-09-01T12:00:00.000Z";
    const { step } = await campaignAt([...running(ONE, { window }), paused("outside_call_window", opens)]);
    expect(await step()).toEqual({ kind: "wait", at: opens });
  });
});
