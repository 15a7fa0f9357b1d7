import { describe, expect, it } from "vitest";
import { writeAnswer } from "../../../../application/campaign/runner/queued-command.ts";
import type { RunnerDeps } from "../../../../application/campaign/runner/runner-deps.ts";
import { running } from "../../../domain/campaign/example-campaign.ts";
import { STREAM } from "./runner-world.ts";
import { DONE, LEASE, ONE, runnersOf, WAITING } from "./runners-world.ts";

describe("a user's command", () => {
  it("is carried out where nobody runs the campaign, by this process", async () => {
    const { runs, executes, types, seen } = await runnersOf(WAITING);
    const { ends } = runs();
    expect(await executes({ type: "CancelCampaign", hangUpActiveCalls: false })).toMatchObject({
      millis: 0,
      outcome: { ok: true },
    });
    expect([types().at(-1), seen.enqueued]).toEqual(["CampaignCancelled", 0]);
    await ends();
  });

  it("on a campaign of nobody or of another owner finds none", async () => {
    const none = { outcome: { ok: false, refusal: { code: "CAMPAIGN_NOT_FOUND" } } };
    expect(await (await runnersOf([])).executes({ type: "StartCampaign" })).toMatchObject(none);
    const { executes, seen } = await runnersOf(WAITING);
    expect(await executes({ type: "StartCampaign" }, "usr_2")).toMatchObject(none);
    expect(seen.acquired).toEqual([]);
  });

  it("finds a campaign that another process created since", async () => {
    const { executes, runs, store, types } = await runnersOf([]);
    const { ends } = runs();
    await executes({ type: "StartCampaign" });
    await store(STREAM, ...WAITING);
    expect(await executes({ type: "CancelCampaign", hangUpActiveCalls: false })).toMatchObject({
      outcome: { ok: true },
    });
    expect(types().at(-1)).toBe("CampaignCancelled");
    await ends();
  });

  it("reads nothing of a campaign that runs here", async () => {
    const { executes, runs, runners, passed, seen } = await runnersOf(running(ONE));
    await runners.announce("cmp_1");
    await passed(2);
    const { ends } = runs();
    await passed(100);
    seen.reads = 0;
    await executes({ type: "PauseCampaign" });
    expect(seen.reads).toBe(0);
    await ends();
  });

  it("is answered by the process that runs the campaign", async () => {
    const { stores, runs, executes, heldElsewhere, seen } = await runnersOf(WAITING);
    await heldElsewhere();
    const { ends } = runs();
    stores.commandQueue.onEnqueued(async () => {
      for (const { id } of await stores.commandQueue.waiting(["cmp_1"]))
        await stores.commandQueue.answer(id, writeAnswer(DONE));
    });
    expect(await executes({ type: "PauseCampaign" })).toMatchObject({ outcome: DONE });
    expect(seen.enqueued).toBe(1);
    await ends();
  });

  it("is carried out here once the other process has given the campaign up, and by nobody else later", async () => {
    const { runs, executes, heldElsewhere, waiting, types, seen } = await runnersOf(running(ONE), {
      keeps: false,
    });
    await heldElsewhere(LEASE, 7_000);
    const { ends } = runs();
    expect(await executes({ type: "PauseCampaign" })).toMatchObject({
      millis: 10_000,
      outcome: { ok: true },
    });
    expect([types().at(-1), seen.enqueued, await waiting()]).toEqual(["CampaignPaused", 1, 0]);
    await ends();
  });

  it.each([
    [10_000, 20_000],
    [20_000, 40_000],
  ])(
    "that nobody answers is waited for as long as a lease of %i ms may take to lapse",
    async (leaseMillis, then) => {
      const { runs, executes, heldElsewhere, seen } = await runnersOf(WAITING, { leaseMillis });
      await heldElsewhere();
      const { ends } = runs();
      const { millis, outcome } = await executes({ type: "PauseCampaign" });
      expect([millis, seen.enqueued]).toEqual([then, 1]);
      expect(outcome).toMatchObject({
        failure: { kind: "unavailable", cause: "no process answered for cmp_1" },
      });
      await ends();
    },
  );

  it.each([
    [{ type: "StartCampaign" }, 0],
    [{ type: "ResumeCampaign" }, 0],
    [{ type: "ChangeSettings", changes: { name: "Other" } }, 0],
    [{ type: "PauseCampaign" }, 1],
    [{ type: "CancelCampaign", hangUpActiveCalls: true }, 1],
    [{ type: "SkipContact", contactId: "ctc_1" }, 1],
  ] as const)("%o that nobody answered is not done later, unless it stops calls", async (command, left) => {
    const { runs, executes, heldElsewhere, waiting } = await runnersOf(WAITING);
    await heldElsewhere();
    const { ends } = runs();
    await executes(command);
    expect(await waiting()).toBe(left);
    await ends();
  });
});

describe("commands of other processes' users", () => {
  it("are carried out at once where the campaign runs", async () => {
    const { runs, passed, enqueue, waiting, types, runners } = await runnersOf(running(ONE));
    const { ends } = runs();
    await runners.announce("cmp_1");
    await passed(3_000);
    await enqueue("cmp_1");
    await passed(10);
    expect([types().at(-1), await waiting()]).toEqual(["CampaignPaused", 0]);
    await ends();
  });

  it("are left alone by a process that does not run the campaign", async () => {
    const { runs, passed, enqueue, waiting, holder } = await runnersOf(WAITING);
    const { ends } = runs();
    await enqueue("cmp_1");
    await passed(5_000);
    expect([await waiting(), await holder()]).toEqual([1, null]);
    await ends();
  });

  it("that were not heard are carried out when the lease is renewed next", async () => {
    const deaf = ({ commandQueue }: RunnerDeps) => ({
      commandQueue: { ...commandQueue, onEnqueued: () => () => undefined },
    });
    const { runs, passed, enqueue, runners, types } = await runnersOf(WAITING, { differing: deaf });
    const { ends } = runs();
    await runners.announce("cmp_1");
    await passed(3_000);
    await enqueue("cmp_1", { type: "CancelCampaign", hangUpActiveCalls: false });
    await passed(300);
    expect(types().at(-1)).toBe("CampaignCreated");
    await passed(100);
    expect(types().at(-1)).toBe("CampaignCancelled");
    await ends();
  });

  it("that wait for a dead process are carried out as soon as its campaign is taken over", async () => {
    const { runs, passed, enqueue, runners, types } = await runnersOf(WAITING);
    await runners.announce("cmp_1");
    await enqueue("cmp_1", { type: "CancelCampaign", hangUpActiveCalls: false });
    await passed(2);
    const { ends } = runs();
    await passed(100);
    expect(types().at(-1)).toBe("CampaignCancelled");
    await ends();
  });
});
