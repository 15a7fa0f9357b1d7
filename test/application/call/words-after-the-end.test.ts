import { expect, it } from "vitest";
import type { CallCommand } from "../../../domain/call/decider.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import {
  ASSISTANT,
  CALLER,
  engineProcess,
  OWNER,
  openEvents,
  pass,
  type Stores,
  sharedStores,
  until,
} from "../engine-world.ts";
import { campaignRequest, exampleContacts } from "../example-request.ts";

const NUMBER = "+12025550123";
const CAMPAIGN = "cmp_1";
const RETRY_MINUTES = 10;

type Process = ReturnType<typeof engineProcess>;

/** The first call of a campaign, answered, and with a session open. */
async function inConversation(stores: Stores, process: Process): Promise<CallId> {
  const request = campaignRequest(1, {
    contacts: exampleContacts([NUMBER]),
    maxRetries: 3,
    retryIntervalMins: RETRY_MINUTES,
  });
  await until(stores, process.useCases.createCampaign(CALLER, request));
  await until(stores, process.useCases.startCampaign(CALLER, CAMPAIGN));
  await pass(stores, 1_000);
  const dialled = openEvents(stores).find(({ type }) => type === "ContactDialed");
  const callId = dialled?.data["callId"] as CallId;
  await until(stores, process.sink({ ...told(stores, callId, 1), type: "answered", answeredBy: "human" }));
  await handle(stores, process, callId, { type: "BeginSession", kind: "relay", now: stores.clock.now() });
  return callId;
}

function told(stores: Stores, callId: CallId, sequence: number) {
  const occurredAt = stores.clock.now();
  return { callId, carrierRef: `ref-${callId}`, sequence, occurredAt, dedupeKey: `${callId}-${sequence}` };
}

const handle = (stores: Stores, process: Process, callId: CallId, command: CallCommand) =>
  until(
    stores,
    process.aggregates.calls.handle(`call-${callId}`, [command], { ...CALLER, causationId: null }),
  );

const ofCampaign = (stores: Stores, ...types: string[]) =>
  openEvents(stores, `campaign-${CAMPAIGN}`).filter(({ type }) => types.includes(type));

it("Words that came to the log after the end stop the retry that the end has planned: nobody is rung, the contact fails", async () => {
  const stores = sharedStores();
  const process = engineProcess(stores);
  const callId = await inConversation(stores, process);
  await pass(stores, 5_000);
  const saidAt = stores.clock.now();
  await pass(stores, 500);
  await until(
    stores,
    process.sink({
      ...told(stores, callId, 2),
      type: "ended",
      endReason: "connection_lost",
      endedBy: null,
      answeredAt: null,
      answeredBy: null,
      recordingExpected: false,
      carrierCode: null,
    }),
  );
  await pass(stores, 1_000);
  const [failed] = ofCampaign(stores, "ContactAttemptFailed");
  expect(failed?.data).toMatchObject({ callId, endReason: "connection_lost", retryAt: expect.any(String) });
  expect(failed?.data).not.toHaveProperty("optedOut");

  const message = {
    role: "customer",
    assistantId: ASSISTANT,
    content: "Never call me again!",
    turn: 1,
  } as const;
  const now = stores.clock.now();
  await handle(stores, process, callId, { type: "AddUtterance", epoch: 1, message, at: saidAt, now });
  await pass(stores, 3_000);
  const optOut = openEvents(stores, `call-${callId}`).find(({ type }) => type === "CallOptedOut");
  expect(optOut?.data).toMatchObject({ by: "words", messageIndex: 0 });
  expect(await stores.directory.suppressed(OWNER, [NUMBER])).toEqual(new Set([NUMBER]));
  expect(ofCampaign(stores, "ContactSkipped")).toEqual([]);

  await pass(stores, 2 * RETRY_MINUTES * 60_000);
  expect(process.placed).toEqual([callId]);
  const ends = ofCampaign(stores, "ContactSkipped", "CampaignCompleted");
  expect(ends.map(({ type }) => type)).toEqual(["ContactSkipped", "CampaignCompleted"]);
  expect(ends[0]?.data).toMatchObject({
    reason: "suppressed",
    outcome: "failed",
    at: failed?.data["retryAt"],
  });
});
