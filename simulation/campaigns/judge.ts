import { createLocalTimes } from "../../application/audit/local-time.ts";
import { verifyCampaign } from "../../application/audit/verify-campaign.ts";
import { kindThatTells, WEBHOOK_KINDS } from "../../domain/webhook/kinds.ts";
import { judgeAnalysed } from "./judge-analyses.ts";
import { judgeCalls } from "./judge-calls.ts";
import { judgeCampaign } from "./judge-campaign.ts";
import { judgeDeliveries } from "./judge-deliveries.ts";
import { judgeMoneyAndWebhooks } from "./judge-money.ts";
import type { Observer } from "./observer.ts";
import type { Scenario } from "./scenario.ts";
import type { Shared } from "./shared-world.ts";
import { OWNER } from "./simulated-names.ts";

const localTimes = createLocalTimes();

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
    ...judgeCampaign(scenario, observer),
    ...judgeOptOuts(shared, scenario, observer),
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
  { events, analysisBook }: Observer,
): readonly string[] {
  const stepped = actions.some(({ kind }) => kind === "clock step");
  const withOptOuts = events.map(({ recorded }) => recorded);
  const options = {
    now: stepped ? null : clock.now(),
    localTimes,
    withOptOuts,
    outcomes: analysisBook.outcomes,
  };
  const ofCampaign = withOptOuts.filter(
    ({ stream, metadata }) => !stream.startsWith("call-") || metadata.campaignId !== undefined,
  );
  const broken = verifyCampaign(ofCampaign, options);
  return broken.map(({ rule, problem }) => `${rule}: ${problem}`);
}

/** Every event of the campaign is queued once, in log order, with the record of its moment. */
function judgeCampaignWebhooks({ outbox }: Shared, { events }: Observer): readonly string[] {
  const happened = events.flatMap(({ event, stored: { revision } }) => {
    const kind = kindThatTells(event.type);
    return kind === null ? [] : [`${kind}@${revision} ${WEBHOOK_KINDS[kind].status} adds up`];
  });
  const queued = [...outbox.deliveries.values()].flatMap(({ entry: { callId, kind, sequence, body } }) => {
    if (callId !== null || kind === "number.suppressed") return [];
    const { campaign, statistics } = JSON.parse(body).data;
    const { successfulCalls, failedCalls, pendingCalls, activeCalls, skippedContacts } = campaign;
    const sum = successfulCalls + failedCalls + pendingCalls + activeCalls + skippedContacts;
    const addsUp = campaign.totalContacts === sum && statistics.totalContacts === sum;
    return [`${kind}@${sequence} ${campaign.status} ${addsUp ? "adds up" : "does not add up"}`];
  });
  const different = happened.length !== queued.length || happened.some((line, at) => line !== queued[at]);
  return different ? [`told of the campaign: ${queued.join(", ")}; it was: ${happened.join(", ")}`] : [];
}

/**
 * Everybody who asked never to be called again is on the list in the end, and each of these calls says so
 * once; nobody else is.
 */
function judgeOptOuts({ directory }: Shared, scenario: Scenario, observer: Observer): readonly string[] {
  const { numbers, asked, optedOut, revoked } = observer.askedBook;
  const problems: string[] = [];
  for (const [callId, times] of optedOut) {
    if (times !== 1) problems.push(`${callId} says ${times} times that somebody opted out`);
    if (!asked.has(callId) || !scenario.listens) problems.push(`${callId}: nobody opted out`);
  }
  if (!scenario.listens) return problems;
  for (const callId of asked) {
    const number = numbers.get(callId);
    if (!optedOut.has(callId)) problems.push(`${callId} does not say that somebody opted out`);
    if (number === undefined || revoked.has(callId)) continue;
    if (!directory.isSuppressed(OWNER, number)) problems.push(`${number} opted out and is not on the list`);
  }
  return problems;
}
