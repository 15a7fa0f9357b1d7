import { expect, it } from "vitest";
import { callStream } from "../../../application/log/stream-names.ts";
import type { CallCommand } from "../../../domain/call/decider.ts";
import type { CampaignId } from "../../../domain/shared/ids.ts";
import { at, FAR_SIDE, REQUEST } from "../../domain/call/example-call.ts";
import { memoryLog } from "../../support/memory-log.ts";
import { ORIGIN } from "./squad-log.ts";

const stream = callStream(REQUEST.callId);

/** The campaigns that the metadata of a call's events name, from its request on. */
async function campaignsNamed(campaignId: CampaignId | null): Promise<readonly unknown[]> {
  const { database, keys, aggregates } = memoryLog();
  const { calls } = aggregates;
  const start: CallCommand = { type: "StartCall", request: { ...REQUEST, campaignId } };
  const dial: CallCommand = { type: "BeginDialing", now: at(1), suppressed: false, carrier: FAR_SIDE };
  await calls.handle(stream, [start], ORIGIN, { expectNew: true });
  await calls.handle(stream, [dial], ORIGIN);
  // As by another process, which has to read the stream first.
  const { calls: elsewhere } = memoryLog({ database, keys }).aggregates;
  await elsewhere.handle(stream, [{ type: "RecordAccepted", carrierRef: "ref-1", now: at(2) }], ORIGIN);
  return database.events.map(({ type, metadata }) => [type, metadata.campaignId]);
}

it("every event of a campaign's call names the campaign, by which it is found", async () => {
  const named = await campaignsNamed("cmp_1");
  expect(named.slice(0, 2)).toEqual([
    ["CallRequested", "cmp_1"],
    ["CallDialingBegan", "cmp_1"],
  ]);
  expect(named).toHaveLength(3);
  expect(named[2]).toContain("cmp_1");
});

it("a single call that is asked for once more stays as it is", async () => {
  const { database, aggregates } = memoryLog();
  const { calls } = aggregates;
  const start = () => calls.handle(stream, [{ type: "StartCall", request: REQUEST }], ORIGIN);
  expect((await start()).events).toHaveLength(1);
  expect((await start()).events).toEqual([]);
  expect(database.events).toHaveLength(1);
});

it("no event of a single call names one", async () => {
  for (const one of await campaignsNamed(null)) expect(one).toContain(undefined);
});
