import process from "node:process";
import { createLocalTimes } from "../../application/audit/local-time.ts";
import { verifyCampaign } from "../../application/audit/verify-campaign.ts";
import { campaignStream } from "../../application/log/stream-names.ts";
import { createVerification } from "../../application/verification/verify-policy.ts";
import type { CampaignId } from "../../domain/shared/ids.ts";
import { kindThatTells, WEBHOOK_KINDS } from "../../domain/webhook/kinds.ts";
import { judgeAnalysed } from "./judge-analyses.ts";
import { judgeToldCallbacks } from "./judge-callbacks.ts";
import { judgeCalls } from "./judge-calls.ts";
import { judgeCampaigns } from "./judge-campaign.ts";
import { judgeDeliveries } from "./judge-deliveries.ts";
import { judgeList } from "./judge-list.ts";
import { judgeMoneyAndWebhooks } from "./judge-money.ts";
import { judgePermission } from "./judge-permission.ts";
import { judgePolicies } from "./judge-policies.ts";
import type { Observer } from "./observer.ts";
import type { Scenario } from "./scenario.ts";
import type { Shared } from "./shared-world.ts";

const localTimes = createLocalTimes();
const TZDATA = process.versions["tz"] ?? "unknown";

/**
 * What must be true in every run (docs/simulation.md: I3 to I6 and I9; other tests cover the rest); returns
 * the violations. It reads the log and the outside world, never the engine.
 */
export function judge(
  shared: Shared,
  scenario: Scenario,
  observer: Observer,
  deaths: number,
): readonly string[] {
  return [
    ...observer.problems,
    ...audit(shared, scenario, observer),
    ...judgeCalls(shared, scenario, observer),
    ...judgeCampaigns(scenario, observer),
    ...judgeToldCallbacks(shared, observer),
    ...judgeList(shared, scenario, observer),
    ...judgePolicies(observer),
    ...verifiedPolicies(shared, observer),
    ...judgePermission(shared, scenario, observer),
    ...judgeAnalysed(scenario, observer.analysisBook),
    ...judgeMoneyAndWebhooks(shared, observer),
    ...judgeCampaignWebhooks(shared, observer),
    ...judgeDeliveries(shared, scenario, deaths),
  ];
}

/** The verifier of `npm run replay -- --verify`. It cannot judge lateness once the wall clock was moved. */
function audit(
  { clock }: Shared,
  { actions }: Scenario,
  { events, campaignIds, analysisBook }: Observer,
): readonly string[] {
  const stepped = actions.some(({ kind }) => kind === "clock step");
  const all = events.map(({ recorded }) => recorded);
  const options = {
    now: stepped ? null : clock.now(),
    localTimes,
    withOptOuts: all,
    withPolicies: all,
    outcomes: analysisBook.outcomes,
  };
  return campaignIds().flatMap((campaignId) => {
    const ofCampaign = all.filter(
      ({ stream, metadata }) => stream === campaignStream(campaignId) || metadata.campaignId === campaignId,
    );
    const broken = verifyCampaign(ofCampaign, options);
    return broken.map(({ rule, problem }) => `${rule}: ${problem}`);
  });
}

/** What POST /policy/verifications says of the policies that were in force: nothing. */
function verifiedPolicies({ clock }: Shared, { events }: Observer): readonly string[] {
  if (!events.some(({ event }) => event.type === "PolicyChanged")) return [];
  const options = { policy: "in_force", from: null, until: clock.now(), tzdata: TZDATA } as const;
  const verification = createVerification(options);
  for (const { stored } of events) verification.read(stored);
  const { violations } = verification.judge();
  return [...violations].map(({ rule, callId, at, value, limit }) => {
    return `verified: ${callId} breaks ${rule} at ${at}: ${value}, limit ${limit}`;
  });
}

/** Every event of a campaign is queued once, in log order, with the record of its moment. */
function judgeCampaignWebhooks(shared: Shared, { events, campaignIds }: Observer): readonly string[] {
  return campaignIds().flatMap((campaignId) => judgeWebhooksOf(campaignId, shared, events));
}

function judgeWebhooksOf(
  campaignId: CampaignId,
  { outbox }: Shared,
  events: Observer["events"],
): readonly string[] {
  const happened = events.flatMap(({ event, stored: { revision, stream } }) => {
    const kind = kindThatTells(event.type);
    return kind === null || stream !== campaignStream(campaignId)
      ? []
      : [`${kind}@${revision} ${WEBHOOK_KINDS[kind].status} adds up`];
  });
  const queued = [...outbox.deliveries.values()].flatMap(({ entry }) => {
    const { callId, kind, sequence, body } = entry;
    if (callId !== null || kind === "number.suppressed" || entry.campaignId !== campaignId) return [];
    const { campaign, statistics } = JSON.parse(body).data;
    const { successfulCalls, failedCalls, pendingCalls, activeCalls, skippedContacts } = campaign;
    const sum = successfulCalls + failedCalls + pendingCalls + activeCalls + skippedContacts;
    const addsUp = campaign.totalContacts === sum && statistics.totalContacts === sum;
    return [`${kind}@${sequence} ${campaign.status} ${addsUp ? "adds up" : "does not add up"}`];
  });
  const different = happened.length !== queued.length || happened.some((line, at) => line !== queued[at]);
  return different ? [`told of ${campaignId}: ${queued.join(", ")}; it was: ${happened.join(", ")}`] : [];
}
