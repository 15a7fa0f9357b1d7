import { describe, expect, it } from "vitest";
import { ALL_KINDS, CAMPAIGN_KINDS } from "../../../domain/webhook/kinds.ts";
import {
  at,
  contact,
  created,
  failed,
  paused,
  running,
  started,
  succeeded,
} from "../../domain/campaign/example-campaign.ts";
import { replayWorld } from "./replay-world.ts";

const DAY_SECONDS = 24 * 3_600;
const RANGE = { from: at(0), to: at(100) };
const bodyOf = (entry: { readonly body: string } | undefined) => JSON.parse(entry?.body ?? "{}").data;

describe("a range replay of calls", () => {
  it("makes what happened from its beginning on and before its end", async () => {
    const world = replayWorld();
    world.pages[0] = [
      await world.call({ callId: "call_1", at: at(-9), answeredAt: at(-1), endedAt: at(0) }),
      await world.call({ callId: "call_2", at: at(-9), answeredAt: at(0), endedAt: at(100) }),
      await world.call({ callId: "call_3", at: at(-9), endedAt: at(99) }),
    ];
    await world.replay(RANGE);
    expect(world.made()).toEqual([
      ["call.ended", "call_1"],
      ["call.started", "call_2"],
      ["call.ended", "call_3"],
    ]);
  });

  it("makes the kinds that are asked for, else those that the endpoint takes, else the usual ones", async () => {
    const made = async (world: ReturnType<typeof replayWorld>, events?: ["call.started"]) => {
      world.pages[0] = [await world.call({ callId: "call_1", at: at(1), answeredAt: at(2), endedAt: at(3) })];
      await world.campaign("cmp_1", running([contact(1)]));
      await world.replay({ ...RANGE, ...(events !== undefined && { events }) });
      return world.made().map(([kind]) => kind);
    };
    expect(await made(replayWorld(ALL_KINDS), ["call.started"])).toEqual(["call.started"]);
    expect(await made(replayWorld(["call.ended", "campaign.started"]))).toEqual([
      "call.ended",
      "campaign.started",
    ]);
    expect(await made(replayWorld())).toEqual(["call.started", "call.ended"]);
  });

  it("is one of stored events in the end, of the kinds that the endpoint takes", async () => {
    const world = replayWorld(["call.ended"]);
    world.pages[0] = [await world.call({ callId: "call_1", at: at(1), endedAt: at(3) })];
    expect(await world.replay(RANGE)).toEqual({ deliveries: 1 });
    expect(world.replayed).toEqual([{ id: "rpl_1", range: { ...RANGE, events: ["call.ended"] } }]);
  });

  it("makes nothing again that is stored", async () => {
    const world = replayWorld();
    world.pages[0] = [await world.call({ callId: "call_1", at: at(1), answeredAt: at(2), endedAt: at(3) })];
    await world.replay({ ...RANGE, events: ["call.ended"] });
    await world.replay(RANGE);
    expect(world.made()).toEqual([
      ["call.ended", "call_1"],
      ["call.started", "call_1"],
    ]);
  });

  it("has the bodies of ten calls in memory at the most", async () => {
    const world = replayWorld();
    const calls = Array.from({ length: 25 }, (_, n) =>
      world.call({ callId: `call_${n}`, at: at(1), endedAt: at(2) }),
    );
    world.pages[0] = await Promise.all(calls);
    await world.replay(RANGE);
    expect(world.stored.map((entries) => entries.length)).toEqual([10, 10, 5]);
  });

  it("asks for older calls page by page, while one of them may have been live in the range", async () => {
    const world = replayWorld();
    const call = (n: number, seconds: number) =>
      world.call({ callId: `call_${n}`, at: at(seconds), endedAt: at(1) });
    world.pages.splice(
      0,
      1,
      [await call(1, 5)],
      [await call(2, -DAY_SECONDS)],
      [await call(3, -DAY_SECONDS - 1)],
      [await call(4, -DAY_SECONDS - 2)],
    );
    await world.replay(RANGE);
    expect(world.asked.map(({ after }) => after)).toEqual([null, "call_1", "call_2"]);
    expect(world.asked[0]?.filter).toEqual({ until: RANGE.to });
    expect(world.made().map(([, callId]) => callId)).toEqual(["call_1", "call_2", "call_3"]);
  });

  it("asks for those of one campaign alone", async () => {
    const world = replayWorld();
    await world.replay({ ...RANGE, campaignId: "cmp_1" });
    expect(world.asked[0]?.filter).toEqual({ until: RANGE.to, campaignId: "cmp_1" });
  });

  it("tells with a campaign's call what the campaign decided after it", async () => {
    const world = replayWorld();
    await world.campaign("cmp_1", [
      ...running([contact(1), contact(2)]),
      failed(1, at(400), 1),
      succeeded(2, 2),
    ]);
    world.pages[0] = [
      await world.call({ callId: "call_1", at: at(1), endedAt: at(2), campaignId: "cmp_1" }),
      await world.call({ callId: "call_2", at: at(1), endedAt: at(2), campaignId: "cmp_1" }),
    ];
    await world.replay(RANGE);
    expect(world.stored.flat().map((entry) => bodyOf(entry).nextAttemptAt)).toEqual([at(400), null]);
    expect(world.stored.flat().map((entry) => bodyOf(entry).isFinalAttempt)).toEqual([false, true]);
  });

  it("leaves out the end of a campaign's call for 60 s while the campaign has decided nothing", async () => {
    const world = replayWorld();
    await world.campaign("cmp_1", running([contact(1)]));
    world.pages[0] = [
      await world.call({ callId: "call_1", at: at(-70), endedAt: at(-59), campaignId: "cmp_1" }),
    ];
    const range = { from: at(-100), to: at(0) };
    await world.replay(range);
    expect(world.made()).toEqual([]);
    world.pages[0] = [
      await world.call({ callId: "call_2", at: at(-70), endedAt: at(-60), campaignId: "cmp_1" }),
    ];
    await world.replay(range);
    expect(world.made()).toEqual([["call.ended", "call_2"]]);
  });
});

describe("a range replay of campaigns", () => {
  const range = { ...RANGE, events: CAMPAIGN_KINDS };

  it("makes what happened to each from its beginning on and before its end", async () => {
    const world = replayWorld();
    await world.campaign("cmp_1", [...created([contact(1)]), started, paused("manual")]);
    await world.replay({ ...range, to: at(1) });
    expect(world.made()).toEqual([["campaign.started", "cmp_1"]]);
    await world.replay({ ...range, from: at(1) });
    expect(world.made().at(-1)).toEqual(["campaign.paused", "cmp_1"]);
  });

  it("makes none of a kind that is not asked for", async () => {
    const world = replayWorld();
    await world.campaign("cmp_1", [...running([contact(1)]), paused("manual")]);
    await world.replay({ ...range, events: ["campaign.paused"] });
    expect(world.made()).toEqual([["campaign.paused", "cmp_1"]]);
    expect(world.asked).toEqual([]);
  });

  it("is of one campaign alone when it is named, and of none when nobody knows it", async () => {
    const world = replayWorld();
    await world.campaign("cmp_1", running([contact(1)]));
    await world.replay({ ...range, campaignId: "cmp_none" });
    expect(world.made()).toEqual([]);
    await world.replay({ ...range, campaignId: "cmp_1" });
    expect(world.made()).toEqual([["campaign.started", "cmp_1"]]);
  });
});

describe("the range replays of an owner", () => {
  it("go one after the other, also after one that failed; those of another owner do not wait", async () => {
    const world = replayWorld();
    const gate = Promise.withResolvers<void>();
    world.gates.push(gate.promise);
    const first = world.replay(RANGE);
    const second = world.replay(RANGE);
    await world.replay(RANGE, "usr_2");
    expect([world.asked.length, world.replayed.length]).toEqual([2, 1]);
    gate.reject(new Error("the read model is away"));
    await expect(first).rejects.toThrow("away");
    await second;
    expect([world.asked.length, world.replayed.length]).toEqual([3, 2]);
  });
});
