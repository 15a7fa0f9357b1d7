import { expect, it } from "vitest";
import {
  CALLER,
  engineProcess,
  pass,
  type Stores,
  sharedStores,
  typesOf,
  until,
} from "../../engine-world.ts";
import { campaignRequest } from "../../example-request.ts";

const STREAM = "campaign-cmp_1";
const CONTACTS = 6;

type Process = ReturnType<typeof engineProcess>;

/**
 * Everybody answers, and nobody talks to them: 10 s and 30 s later each call has ended because
 * the assistant failed.
 */
async function answerAll(stores: Stores, { placed, sink }: Process): Promise<void> {
  for (const callId of placed) {
    const fact = {
      dedupeKey: "answer",
      callId: callId as `call_${string}`,
      carrierRef: `ref-${callId}`,
      sequence: 1,
      occurredAt: stores.clock.now(),
    };
    await until(stores, sink({ ...fact, type: "answered", answeredBy: "human" }));
  }
}

const changesOf = (stores: Stores) =>
  (stores.database.streams.get(STREAM)?.events ?? [])
    .filter(({ type }) => type === "CampaignPaused" || type === "CampaignResumed")
    .map(({ type, data }) => data["reason"] ?? type);

it("pauses a campaign after five answered calls in a row in which the assistant failed, until it is found well", async () => {
  const stores = sharedStores();
  const one = engineProcess(stores, { assistantCheck: { check: async () => false } });
  await until(stores, one.useCases.createCampaign(CALLER, campaignRequest(CONTACTS, {})));
  await until(stores, one.useCases.startCampaign(CALLER, "cmp_1"));
  await pass(stores, 2_000);
  expect(one.placed).toHaveLength(CONTACTS);
  await answerAll(stores, one);
  await pass(stores, 50_000);
  expect(typesOf(stores, STREAM).filter((type) => type === "ContactAttemptFailed")).toHaveLength(CONTACTS);
  expect(changesOf(stores)).toEqual(["assistant_unavailable"]);

  // Retries are due meanwhile; a process that takes over knows of no failures but the pause.
  one.stop();
  await pass(stores, 10 * 60_000);
  let isWell = false;
  const two = engineProcess(stores, { processId: "two", assistantCheck: { check: async () => isWell } });
  await pass(stores, 60_000);
  expect([two.placed, changesOf(stores)]).toEqual([[], ["assistant_unavailable"]]);
  isWell = true;
  await pass(stores, 15_000);
  expect(changesOf(stores)).toEqual(["assistant_unavailable", "CampaignResumed"]);
  expect(two.placed).toHaveLength(CONTACTS);
  two.stop();
});
