import { beforeEach, describe, expect, it } from "vitest";
import type { CampaignId } from "../../../domain/shared/ids.ts";
import { CAMPAIGN_KINDS, type WebhookEventKind } from "../../../domain/webhook/kinds.ts";
import type { CrashPoints } from "../../../simulation/crash-points/crash-points.ts";
import { putMemoryEndpoint } from "../../../simulation/memory/webhook-outbox.ts";
import {
  CALLER,
  engineProcess,
  OWNER,
  pass,
  type Stores,
  sharedStores,
  typesOf,
  until,
  type WorldOptions,
} from "../engine-world.ts";
import { campaignRequest } from "../example-request.ts";

const ID: CampaignId = "cmp_1";
let stores: Stores;
let one: ReturnType<typeof engineProcess>;
beforeEach(() => begin());

function begin(options: WorldOptions = {}): void {
  stores = sharedStores();
  take(CAMPAIGN_KINDS);
  one = engineProcess(stores, options);
}

function take(events: readonly WebhookEventKind[]): void {
  const secrets = { current: "whsec_x", previous: null };
  const settings = { url: "http://127.0.0.1:9/", inUse: true, events, secrets };
  putMemoryEndpoint(stores.outbox, OWNER, settings, stores.clock.nowMillis());
}

const DIES_BEFORE_IT_TELLS: CrashPoints = {
  reached: (point) => (point === "outbox.enqueue.before" ? new Promise<void>(() => undefined) : undefined),
};

const entries = () => [...stores.outbox.deliveries.values()].map(({ entry }) => entry);
const bodies = () => entries().map(({ body }) => JSON.parse(body));
const told = () => bodies().map(({ event, data }) => [event, data.campaign.status, data.reason]);
const create = () => until(stores, one.useCases.createCampaign(CALLER, campaignRequest(2)));
const start = () => until(stores, one.useCases.startCampaign(CALLER, ID));
const pause = () => until(stores, one.useCases.pauseCampaign(CALLER, ID));

describe("what happens to a campaign", () => {
  it("is told with the record right after it, in its order", async () => {
    await create();
    await start();
    await pass(stores, 1_000);
    await pause();
    await until(stores, one.useCases.resumeCampaign(CALLER, ID));
    await pass(stores, 1_000);
    await until(stores, one.useCases.cancelCampaign(CALLER, ID, { hangUpActiveCalls: false }));
    await pass(stores, 1_000);
    expect(told()).toEqual([
      ["campaign.started", "RUNNING", null],
      ["campaign.paused", "PAUSED", "manual"],
      ["campaign.resumed", "RUNNING", null],
      ["campaign.cancelled", "CANCELLED", null],
    ]);
    const places = entries().map(({ sequence }) => sequence);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it("is told with what was true then, though it is made when more has happened", async () => {
    begin({ crashPoints: DIES_BEFORE_IT_TELLS });
    await create();
    await start();
    await pass(stores, 5_000);
    expect(typesOf(stores, `campaign-${ID}`)).toContain("ContactDialed");
    one.stop();
    one = engineProcess(stores, { processId: "two" });
    await pass(stores, 1_000);
    const { event, data } = bodies()[0];
    expect([event, data.campaign.activeCalls, data.campaign.pendingCalls]).toEqual([
      "campaign.started",
      0,
      2,
    ]);
    expect(data.statistics).toMatchObject({ totalContacts: 2, pendingContacts: 2, successfulCalls: 0 });
    expect(data.occurredAt).toBe(data.campaign.startedAt);
    expect(data.campaign.effectiveMaxConcurrentCalls).toBe(10);
  });

  it("is told of a start outside the window as a start and a pause, with the reason", async () => {
    const window = { start: 3, end: 4 };
    const request = campaignRequest(1, { window, timezone: "UTC" });
    await until(stores, one.useCases.createCampaign(CALLER, request));
    await start();
    await pass(stores, 1_000);
    expect(told()).toEqual([
      ["campaign.started", "RUNNING", null],
      ["campaign.paused", "PAUSED", "outside_call_window"],
    ]);
  });

  it("is told when nobody is left to call", async () => {
    begin({
      placeCall: async () => ({
        kind: "rejected",
        endReason: "invalid_number",
        carrierCode: "404",
        message: "no",
        noAnswerAtAll: false,
      }),
    });
    await create();
    await start();
    await pass(stores, 5_000);
    expect(told()).toEqual([
      ["campaign.started", "RUNNING", null],
      ["campaign.completed", "COMPLETED", null],
    ]);
    expect(bodies()[1].data.campaign).toMatchObject({ failedCalls: 2, pendingCalls: 0 });
  });

  it("is told once after a restart, when the process died before it told", async () => {
    begin({ crashPoints: DIES_BEFORE_IT_TELLS });
    await create();
    await start();
    await pass(stores, 1_000);
    one.stop();
    expect(told()).toEqual([]);
    one = engineProcess(stores, { processId: "two" });
    await pass(stores, 1_000);
    expect(told()).toEqual([["campaign.started", "RUNNING", null]]);
  });

  it("is not told, and not even folded, for an endpoint that does not name it", async () => {
    take(["campaign.paused", "call.ended"]);
    await create();
    await start();
    await pass(stores, 1_000);
    expect(entries()).toEqual([]);
    await pause();
    await pass(stores, 1_000);
    expect(told()).toEqual([["campaign.paused", "PAUSED", "manual"]]);
  });
});
