import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { CampaignCommandQueue } from "../../../application/ports/campaign-commands.ts";
import type { CampaignId } from "../../../domain/shared/ids.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";

export type QueueWorld = {
  /** Where a user's command arrives, and where the campaign is owned: one process, or two. */
  readonly sender: CampaignCommandQueue;
  readonly owner: CampaignCommandQueue;
  readonly pass: (millis: number) => Promise<void>;
  readonly end: () => Promise<void>;
};

/** Commands on their way to the holder of the lease. */
export function queueContract(makeWorld: () => Promise<QueueWorld>): void {
  let world: QueueWorld;
  let number = 0;
  let campaignId: CampaignId;
  let ids: readonly [string, string];
  beforeAll(async () => {
    world = await makeWorld();
  });
  afterAll(() => world.end());
  beforeEach(() => {
    number += 1;
    campaignId = `cmp_${number}`;
    ids = [`${number} first`, `${number} second`];
  });
  const send = (id: string, payload = { type: "PauseCampaign" }) =>
    world.sender.enqueue({ id, campaignId, owner: "usr_1", payload });

  it("gives the commands of the named campaigns in the order in which they came, until they are answered", async () => {
    await send(ids[0], { type: "PauseCampaign" });
    await send(ids[1], { type: "ResumeCampaign" });
    const waiting = await world.owner.waiting(["cmp_none", campaignId]);
    expect(waiting.map(({ id, payload }) => [id, payload["type"]])).toEqual([
      [ids[0], "PauseCampaign"],
      [ids[1], "ResumeCampaign"],
    ]);
    await world.owner.answer(ids[0], { ok: true });
    expect(await world.owner.waiting([campaignId])).toMatchObject([
      { id: ids[1], campaignId, owner: "usr_1" },
    ]);
  });

  it("takes a command once, however often it is sent", async () => {
    await send(ids[0]);
    await send(ids[0], { type: "CancelCampaign" });
    expect(await world.owner.waiting([campaignId])).toMatchObject([{ payload: { type: "PauseCampaign" } }]);
  });

  it("tells the owner that a command came", async () => {
    const heard: CampaignId[] = [];
    const stop = world.owner.onEnqueued((which) => heard.push(which));
    await send(ids[0]);
    await eventually("the news", () => heard.includes(campaignId));
    stop();
  });

  it("tells nothing to who listens no more", async () => {
    const [gone, heard]: [CampaignId[], CampaignId[]] = [[], []];
    world.owner.onEnqueued((which) => gone.push(which))();
    const stop = world.owner.onEnqueued((which) => heard.push(which));
    await send(ids[0]);
    await eventually("the news", () => heard.length > 0);
    expect(gone).toEqual([]);
    stop();
  });

  it("brings the answer to who waits for it", async () => {
    await send(ids[0]);
    const answer = world.sender.awaitAnswer(ids[0], 20_000);
    await world.owner.answer(ids[0], { ok: true, position: "7" });
    expect(await answer).toEqual({ ok: true, position: "7" });
  });

  it("has an answer that came before", async () => {
    await send(ids[0]);
    await world.owner.answer(ids[0], { ok: true });
    expect(await world.sender.awaitAnswer(ids[0], 0)).toEqual({ ok: true });
  });

  it("keeps the first answer", async () => {
    await send(ids[0]);
    await world.owner.answer(ids[0], { ok: true });
    await world.owner.answer(ids[0], { ok: false });
    expect(await world.sender.awaitAnswer(ids[0], 0)).toEqual({ ok: true });
  });

  it("stops waiting when the time is over", async () => {
    await send(ids[0]);
    const answer = world.sender.awaitAnswer(ids[0], 50);
    await world.pass(50);
    expect(await answer).toBeNull();
  });
}
