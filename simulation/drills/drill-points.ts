/** What a drill does with the service when it is killed. */
export type DrillScenario =
  | "analysis"
  | "failed-analysis"
  | "analysis-at-once"
  | "campaign"
  | "conversation"
  | "import"
  | "single-call"
  | "hang-up"
  | "opt-out"
  | "callback"
  | "policy"
  | "past-dials"
  | "list"
  | "eligibility";

export type DrillPoint = {
  /** In the form of CRASH_AT. Of several, each kills the service that was restarted after the one before. */
  readonly crashAt: readonly [string, ...string[]];
  readonly scenario: DrillScenario;
  /** How often the service reaches the point at least; the seed decides which time kills it. */
  readonly reached: number;
  /** Contacts of its campaign, if the point is too rare for the usual number. */
  readonly contacts?: number;
};

const inCampaign = (reached: number, ...crashAt: DrillPoint["crashAt"]): DrillPoint => ({
  crashAt,
  scenario: "campaign",
  reached,
});
const during = (scenario: DrillScenario, ...crashAt: DrillPoint["crashAt"]): DrillPoint => ({
  crashAt,
  scenario,
  reached: 1,
});
const inConversation = (reached: number, ...crashAt: DrillPoint["crashAt"]): DrillPoint => ({
  crashAt,
  scenario: "conversation",
  reached,
});
/** Two ask on their calls; the seed decides with whom it dies. */
const inOptOut = (...crashAt: DrillPoint["crashAt"]): DrillPoint => ({
  crashAt,
  scenario: "opt-out",
  reached: 2,
});

/** Its list is made, and replaced twice at least. */
const inList = (reached: number, ...crashAt: DrillPoint["crashAt"]): DrillPoint => ({
  crashAt,
  scenario: "list",
  reached,
});

/** In the order in which an analysis comes by them. One who always talks is there, and some others. */
const ANALYSIS_POINTS: readonly DrillPoint[] = [
  during("analysis", "analyses.expect.before"),
  during("analysis", "analyses.expect.after"),
  during("analysis", "analyses.claim.before"),
  during("analysis", "analyses.claim.after"),
  during("analysis", "eventStore.append.CallAnalysisRequested.before"),
  during("analysis", "eventStore.append.CallAnalysisRequested.after"),
  during("analysis", "analyses.wished.before"),
  during("analysis", "analyses.wished.after"),
  during("analysis", "analyses.failed.before"),
  during("analysis", "analyses.failed.after"),
  during("analysis", "analysisTokens.add.before"),
  during("analysis", "analysisTokens.add.after"),
  during("analysis", "eventStore.append.CallAnalysed.before"),
  during("analysis", "eventStore.append.CallAnalysed.after"),
  during("analysis", "analyses.done.before"),
  during("analysis", "analyses.done.after"),
];

/**
 * Points after which recovery takes time because of the rules: the carrier's "absent" counts 20 s after the
 * write-ahead, an attempt that was not placed is repeated after 30 s, a webhook with an unknown outcome is
 * sent again after 20 s, a slot without a call is freed 45 s after its dialAt, an analysis is tried again
 * after 10 s, and one that was claimed after 90 s. A callback is due in the next minute but one. Nobody is
 * asked about twice within 30 s.
 */
const SLOW_POINTS: readonly DrillPoint[] = [
  inCampaign(4, "eventStore.append.CallRequested.after"),
  inCampaign(4, "eventStore.append.CallDialingBegan.after"),
  inCampaign(4, "carrier.placeCall.before"),
  inCampaign(2, "admission.admit.after"),
  inCampaign(2, "eventStore.append.ContactDialed.before"),
  inCampaign(2, "deliveries.claim.after"),
  inCampaign(2, "webhooks.send.after"),
  inCampaign(1, "carrier.placeCall.before", "carrier.lookup.before"),
  inCampaign(1, "carrier.placeCall.before", "carrier.lookup.after"),
  during("single-call", "eventStore.append.CallRequested.after"),
  during("single-call", "carrier.placeCall.before"),
  during("single-call", "eventStore.append.CallRequested.before"),
  during("single-call", "admission.admit.after"),
  ...ANALYSIS_POINTS,
  during("policy", "admission.admit.before"),
  during("policy", "admission.admit.after"),
  during("past-dials", "policies.store.after", "pastDials.count.before"),
  during("past-dials", "policies.store.after", "pastDials.count.after"),
  during("eligibility", "eventStore.append.ContactHeld.after"),
  during("callback", "eventStore.append.CallCallbackAgreed.before"),
  during("callback", "eventStore.append.CallCallbackAgreed.after"),
  during("callback", "eventStore.append.ContactCallbackScheduled.before"),
  during("callback", "eventStore.append.ContactCallbackScheduled.after"),
];

/** Points from which the service continues at once. */
const FAST_POINTS: readonly DrillPoint[] = [
  inCampaign(2, "eventStore.append.ContactDialed.after"),
  inCampaign(4, "eventStore.append.CallRequested.before"),
  inCampaign(4, "carrier.placeCall.after"),
  inCampaign(4, "eventStore.append.CallRinging.before"),
  inCampaign(4, "eventStore.append.CallRinging.after"),
  inCampaign(3, "eventStore.append.CallConnected.before"),
  inCampaign(3, "eventStore.append.CallConnected.after"),
  inCampaign(2, "eventStore.append.CallConversationStarted.after"),
  inCampaign(4, "eventStore.append.CallMessageAdded.after"),
  inCampaign(2, "eventStore.append.CallCompleted.before"),
  inCampaign(2, "eventStore.append.CallCompleted.after"),
  inCampaign(3, "eventStore.append.CallFailed.before"),
  inCampaign(3, "eventStore.append.CallFailed.after"),
  inCampaign(2, "eventStore.append.CallRecordingAvailable.after"),
  inCampaign(12, "carrierEvents.take.before"),
  inCampaign(12, "carrierEvents.take.after"),
  inCampaign(1, "eventStore.append.ContactSucceeded.before"),
  inCampaign(1, "eventStore.append.ContactSucceeded.after"),
  inCampaign(1, "eventStore.append.ContactAttemptFailed.before"),
  inCampaign(1, "eventStore.append.ContactAttemptFailed.after"),
  inCampaign(1, "eventStore.append.CampaignStarted.before"),
  inCampaign(1, "eventStore.append.CampaignStarted.after"),
  inCampaign(1, "eventStore.append.CampaignCompleted.before"),
  inCampaign(1, "eventStore.append.CampaignCompleted.after"),
  inCampaign(2, "admission.admit.before"),
  inCampaign(2, "admission.close.before"),
  inCampaign(2, "admission.close.after"),
  inCampaign(6, "checkpoints.save.before"),
  inCampaign(6, "readRows.commit.before"),
  inCampaign(6, "readRows.commit.after"),
  inCampaign(3, "outbox.enqueue.before"),
  inCampaign(3, "outbox.enqueue.after"),
  inCampaign(2, "deliveries.record.after"),
  inCampaign(1, "recordingFiles.flush.before"),
  inCampaign(1, "recordingFiles.flush.after"),
  inCampaign(1, "recordings.stepped.before"),
  inCampaign(1, "leases.acquire.campaign.after"),
  inCampaign(1, "eventStore.append.ContactDialed.after", "leases.acquire.campaign.after"),
  inCampaign(1, "carrier.placeCall.after", "checkpoints.save.before"),
  during("import", "imports.begin.before"),
  during("import", "imports.begin.after"),
  { ...during("import", "eventStore.append.ContactsImported.after"), reached: 2 },
  during("import", "imports.sealed.after"),
  during("import", "eventStore.append.CampaignCreated.before"),
  during("import", "eventStore.append.CampaignCreated.after"),
  during("single-call", "carrier.placeCall.after"),
  during("single-call", "eventStore.append.CallRinging.after"),
  during("hang-up", "eventStore.append.CallEndRequested.before"),
  during("hang-up", "eventStore.append.CallEndRequested.after"),
  during("hang-up", "admission.setNextLooks.before"),
  during("hang-up", "carrier.hangUp.before"),
  during("hang-up", "carrier.hangUp.after"),
  inConversation(12, "eventStore.append.CallMessageAdded.after"),
  inConversation(12, "eventStore.append.CallMessageAdded.before"),
  inConversation(2, "eventStore.append.CallToolBegan.after"),
  inConversation(2, "eventStore.append.CallToolEnded.after"),
  // One line of sixteen is interrupted, and few ask for somebody else: among twenty calls it may be none.
  { ...inConversation(1, "eventStore.append.CallSpeechCut.after"), contacts: 60 },
  { ...inConversation(1, "eventStore.append.CallHandedOver.after"), contacts: 60 },
  inConversation(2, "eventStore.append.CallSessionBegan.after"),
  inConversation(2, "eventStore.append.CallSessionEnded.after"),
  during("failed-analysis", "eventStore.append.CallAnalysisFailed.before"),
  during("failed-analysis", "eventStore.append.CallAnalysisFailed.after"),
  during("analysis-at-once", "analysisTokens.add.before"),
  during("analysis-at-once", "analysisTokens.add.after"),
  during("analysis-at-once", "eventStore.append.CallAnalysed.before"),
  during("analysis-at-once", "eventStore.append.CallAnalysed.after"),
  during("policy", "eventStore.append.PolicyChanged.before"),
  during("policy", "eventStore.append.PolicyChanged.after"),
  during("policy", "policies.store.before"),
  during("policy", "policies.store.after"),
  { ...during("policy", "eventStore.append.ContactHeld.before"), contacts: 10 },
  { ...during("policy", "eventStore.append.ContactHeld.after"), contacts: 10 },
  inList(2, "listNumbers.begin.after"),
  inList(2, "listNumbers.replace.before"),
  inList(2, "listNumbers.replace.after"),
  inList(2, "eventStore.append.SuppressionListReplaced.before"),
  inList(2, "eventStore.append.SuppressionListReplaced.after"),
  inList(3, "lists.published.before"),
  inOptOut("optOuts.list.before"),
  inOptOut("optOuts.list.after"),
  inOptOut("eventStore.append.CallOptedOut.before"),
  inOptOut("eventStore.append.CallOptedOut.after"),
  inOptOut("optOuts.recorded.before"),
  inOptOut("optOuts.recorded.after"),
];

export const DRILL_POINTS: readonly DrillPoint[] = [...SLOW_POINTS, ...FAST_POINTS];

/** Also for several points, one of which is slow. */
export function isSlow({ scenario, crashAt }: DrillPoint): boolean {
  return SLOW_POINTS.some((slow) => slow.scenario === scenario && crashAt.includes(slow.crashAt[0]));
}

/**
 * Readable name: `eventStore.append.ContactDialed.after`, `single-call/carrier.placeCall.after`,
 * `carrier.placeCall.before+carrier.lookup.before`.
 */
export function pointName({ crashAt, scenario }: DrillPoint): string {
  const points = crashAt.join("+");
  return scenario === "campaign" ? points : `${scenario}/${points}`;
}
