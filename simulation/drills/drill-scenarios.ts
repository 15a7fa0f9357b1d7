import { analysis, analysisAtOnce, failedAnalysis } from "./analysis-scenario.ts";
import { callback } from "./callback-scenario.ts";
import { conversation } from "./conversation-scenario.ts";
import type { DrillScenario } from "./drill-points.ts";
import { inTime, untilCompleted } from "./drill-quiet.ts";
import { type DrillSetup, startCampaign } from "./drill-setup.ts";
import type { DrillWorld } from "./drill-world.ts";
import { eligibility } from "./eligibility-scenario.ts";
import { suppressionList } from "./list-scenario.ts";
import { optOut } from "./opt-out-scenario.ts";
import { pastDials, policy } from "./policy-scenario.ts";
import type { ScenarioRun } from "./scenario-run.ts";
import { anything, call, outboundStart } from "./shapes.ts";

const ANSWERS = "+15005550006";
const NEVER_HANGS_UP = "+15005550011";
const HAPPENS_WITHIN_MILLIS = 120_000;

const campaign: ScenarioRun = async (world, setup, plan, crashed) => {
  const campaignId = await startCampaign(world.client, setup, plan);
  await crashed();
  await untilCompleted(world, campaignId);
  return { campaignId, problems: [] };
};

/** The same Idempotency-Key before and after the crash gives the same call. */
const singleCall: ScenarioRun = async (world, setup, _plan, crashed) => {
  const first = await startCall(world, setup, ANSWERS);
  await crashed();
  const again = await startCall(world, setup, ANSWERS);
  const calls = await world.client.all(call, "/api/v1/calls");
  const problems = calls
    .filter(({ id }) => id !== first || id !== again)
    .map(({ id }) => `one Idempotency-Key started ${id}, and answered ${first} and ${again}`);
  if (calls.length !== 1) problems.push(`one Idempotency-Key made ${calls.length} calls`);
  return { campaignId: null, problems };
};

const hangUp: ScenarioRun = async (world, setup, _plan, crashed) => {
  const callId = await startCall(world, setup, NEVER_HANGS_UP);
  const path = `/api/v1/calls/${callId}`;
  const shown = () => world.client.get(call, path);
  const connected = async () => (await shown()).connectedAt !== null;
  await inTime("the answer to the call", connected, HAPPENS_WITHIN_MILLIS);
  await world.client.remove(anything, `/api/v1/calls/outbound/${callId}`);
  await crashed();
  const ended = await inTime(
    "the end that was asked for",
    async () => (await shown()).endReason,
    HAPPENS_WITHIN_MILLIS,
  );
  return { campaignId: null, problems: ended === "api_ended" ? [] : [`${callId} ended ${ended}`] };
};

async function startCall(world: DrillWorld, setup: DrillSetup, to: string): Promise<string> {
  const { assistantId, phoneNumberId } = setup;
  const body = { assistantId, phoneNumberId, to };
  return (await world.client.post(outboundStart, "/api/v1/calls/outbound", body, "drill-call")).callId;
}

export const SCENARIOS: Readonly<Record<DrillScenario, ScenarioRun>> = {
  analysis,
  "failed-analysis": failedAnalysis,
  "analysis-at-once": analysisAtOnce,
  callback,
  campaign,
  conversation,
  import: campaign,
  "single-call": singleCall,
  "hang-up": hangUp,
  "opt-out": optOut,
  policy,
  "past-dials": pastDials,
  list: suppressionList,
  eligibility,
};
