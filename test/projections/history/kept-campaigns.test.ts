import { describe, expect, it } from "vitest";
import type { EventStore } from "../../../application/ports/event-store.ts";
import { createTurns } from "../../../application/turns.ts";
import type { CampaignEvent } from "../../../domain/campaign/events.ts";
import type { CampaignId } from "../../../domain/shared/ids.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { createCampaignFolds } from "../../../projections/history/folds/campaign-folds.ts";
import { contact, creation, imported, started } from "../../domain/campaign/example-campaign.ts";
import { memoryLog } from "../../support/memory-log.ts";

const LATE = "2100-01-01T00:00:00.000Z";
const CHUNKS = 40;
/** With chunks behind each other eight are read at once. */
const PAGES = 6;

function ofCampaign(id: CampaignId, event: CampaignEvent): CampaignEvent {
  return JSON.parse(JSON.stringify({ ...event, data: { ...event.data, campaignId: id } }));
}

/** Campaigns of 40 chunks in a log whose reads are counted, and wait until they are let go. */
async function heldLog(ids: readonly CampaignId[]) {
  const { codec, eventStore: memory, store } = memoryLog({ clock: systemClock });
  for (const id of ids) {
    const chunks = Array.from({ length: CHUNKS }, (_, index) =>
      imported([contact(index + 1)], "imp_1", index),
    );
    const create: CampaignEvent = { type: "CampaignCreated", data: creation(CHUNKS) };
    const history = [...chunks, create, started].map((event) => ofCampaign(id, event));
    await store(`campaign-${id}`, ...history);
  }
  const reads: { readonly stream: string; readonly from: number; readonly max: number }[] = [];
  const log = { failing: false, held: Promise.withResolvers<void>() };
  const eventStore: EventStore = {
    ...memory,
    async read(stream, options = {}) {
      reads.push({ stream, from: options.from ?? 0, max: options.max ?? Number.POSITIVE_INFINITY });
      await log.held.promise;
      if (log.failing) throw new Error("away");
      return memory.read(stream, options);
    },
  };
  const turns = createTurns({ atOnce: 2, waitingOfOne: 1, refusal: () => new Error("busy") });
  const folds = createCampaignFolds({ eventStore, codec }, undefined, turns);
  const ask = (id: CampaignId, owner: "usr_1" | "usr_2" | "usr_3" = "usr_1") =>
    folds.campaignAt({ owner, id, at: LATE });
  const letGo = () => log.held.resolve();
  return { reads, log, ask, letGo, store };
}

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

describe("a campaign that nobody asked for yet", () => {
  it("is read once for twelve who ask at the same time, eight chunks at a time", async () => {
    const { reads, ask, letGo } = await heldLog(["cmp_1"]);
    const asked = Array.from({ length: 12 }, () => ask("cmp_1"));
    await turnOfTheLoop();
    letGo();
    const told = await Promise.all(asked);
    expect(told.map((each) => each?.campaign.status)).toEqual(Array(12).fill("RUNNING"));
    expect(reads.map(({ from }) => from)).toEqual([
      ...Array.from({ length: PAGES }, (_, page) => page * 8),
      CHUNKS + 2, // what came meanwhile, once for all who asked while it was read
    ]);
    expect(reads.every(({ max }) => max <= 16)).toBe(true);
  });

  it("answers whoever asked while it was read with what was stored before he asked", async () => {
    const { reads, ask, letGo, store } = await heldLog(["cmp_1"]);
    const first = ask("cmp_1");
    await turnOfTheLoop();
    letGo();
    await expect.poll(() => reads.length).toBe(PAGES);
    const cancelled: CampaignEvent = {
      type: "CampaignCancelled",
      data: { campaignId: "cmp_1", at: "2026-09-01T11:00:00.000Z", hangUpActiveCalls: false },
    };
    await store("campaign-cmp_1", cancelled);
    const second = ask("cmp_1");
    await first;
    expect((await second)?.campaign.status).toBe("CANCELLED");
  });

  it("is not read again for each of them when the log is away, but for whoever asks after that", async () => {
    const { reads, log, ask, letGo } = await heldLog(["cmp_1"]);
    log.failing = true;
    const asked = Array.from({ length: 12 }, () => ask("cmp_1"));
    await turnOfTheLoop();
    letGo();
    const failed = await Promise.allSettled(asked);
    expect(failed.map(({ status }) => status)).toEqual(Array(12).fill("rejected"));
    expect(reads).toHaveLength(1);
    log.failing = false;
    expect((await ask("cmp_1"))?.campaign.status).toBe("RUNNING");
  });

  it("waits for its turn while others are read, and is refused where too many of one owner wait", async () => {
    const { reads, ask, letGo } = await heldLog(["cmp_1", "cmp_2", "cmp_3", "cmp_4", "cmp_5"]);
    const asked = [ask("cmp_1"), ask("cmp_2"), ask("cmp_3", "usr_2"), ask("cmp_4", "usr_3")];
    await expect(ask("cmp_5")).rejects.toThrow("busy");
    await turnOfTheLoop();
    expect(reads.map(({ stream }) => stream)).toEqual(["campaign-cmp_1", "campaign-cmp_3"]);
    letGo();
    await Promise.all(asked);
  });
});
