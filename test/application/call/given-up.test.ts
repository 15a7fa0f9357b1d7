import { beforeEach, describe, expect, it } from "vitest";
import { giveUpCall } from "../../../application/call/watchdog/call-look.ts";
import type { Slot } from "../../../domain/admission/requests.ts";
import { requested } from "../../domain/call/example-call.ts";
import { AWAY, callId, DIAL_BY, GONE, HOUR, lookWorld, SLOT } from "./look-world.ts";

const OF_CAMPAIGN: Slot = { ...SLOT, campaignId: "cmp_1" };

let world: ReturnType<typeof lookWorld>;
beforeEach(() => {
  world = lookWorld();
});

describe("a look that fails", () => {
  const failing = async (error: Error, after: number, slot = SLOT) => {
    world.answers.dial = error;
    await world.look("dial", { after, slot }, requested);
  };
  const OVER = DIAL_BY + 3 * HOUR;

  it("is told and left to the next look", async () => {
    await failing(AWAY, 0);
    expect(world.seen.errors).toEqual([
      [{ callId, action: "dial", error: AWAY }, "look at a call failed; it is looked at again"],
    ]);
    expect(world.seen).toMatchObject({ closed: [], givenUp: [] });
  });

  it.each([
    ["is tried again for as long as the log may take it", AWAY, OVER + 1],
    ["is tried again for 3 h after dialBy though the log refuses it", GONE, OVER],
  ])("%s: the slot stays", async (_what, error, after) => {
    await failing(error, after);
    expect(world.seen).toMatchObject({ closed: [], givenUp: [] });
  });

  it("frees the slot of a call that the log refuses once it must have ended", async () => {
    await failing(GONE, OVER + 1, OF_CAMPAIGN);
    expect(world.seen.closed).toEqual([{ callId, cost: 0 }]);
    expect(world.seen.told).toHaveLength(1);
  });
});

describe("a call that is given up", () => {
  const LAST = DIAL_BY + 4 * HOUR;
  const giveUp = (after: number, slot = OF_CAMPAIGN) => {
    world.clock.advance(after * 1_000);
    return giveUpCall(world.deps, slot, GONE);
  };
  const NOT_TOLD = "campaign not told of a call that was given up";

  it("is told to its campaign in the watchdog's name, costs nothing and is left aside", async () => {
    await giveUp(4 * HOUR);
    const origin = {
      owner: "usr_1",
      actor: "process:call-watchdog",
      correlationId: callId,
      causationId: null,
    };
    expect(world.seen.told).toEqual([["cmp_1", callId, origin]]);
    expect(world.seen.closed).toEqual([{ callId, cost: 0 }]);
    expect(world.seen.givenUp).toEqual([{ processor: "call-watchdog", callId, error: GONE }]);
    expect(world.deps.givenUp.count("call-watchdog")).toBe(1);
  });

  it("is told to nobody when it has no campaign", async () => {
    await giveUp(4 * HOUR, SLOT);
    expect(world.seen).toMatchObject({ told: [], closed: [{ callId, cost: 0 }], errors: [] });
  });

  it("keeps its slot while nobody answers for the campaign, until 4 h after dialBy", async () => {
    world.answers.campaign = AWAY;
    await giveUp(LAST - 1);
    expect(world.seen).toMatchObject({ closed: [], givenUp: [] });
    expect(world.seen.errors).toEqual([
      [{ callId, error: AWAY }, "slot not freed; tried again at the next look"],
    ]);
    await giveUp(1);
    expect(world.seen.closed).toEqual([{ callId, cost: 0 }]);
    expect(world.seen.errors.slice(1)).toEqual([[{ callId, campaignId: "cmp_1", error: AWAY }, NOT_TOLD]]);
  });

  it("gives its slot back at once when the campaign cannot be told at all", async () => {
    world.answers.campaign = GONE;
    await giveUp(3 * HOUR);
    expect(world.seen.closed).toEqual([{ callId, cost: 0 }]);
    expect(world.seen.errors).toEqual([[{ callId, campaignId: "cmp_1", error: GONE }, NOT_TOLD]]);
  });

  it("is not left aside while its slot cannot be freed", async () => {
    world.answers.slots = AWAY;
    await giveUp(4 * HOUR);
    expect(world.deps.givenUp.count("call-watchdog")).toBe(0);
    expect(world.seen.errors).toEqual([
      [{ callId, error: AWAY }, "slot not freed; tried again at the next look"],
    ]);
  });
});
