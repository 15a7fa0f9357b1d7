/** What a drill does with the service while it dies. */
export type DrillScenario = "campaign" | "conversation" | "import" | "single-call" | "hang-up";

export type DrillPoint = {
  /** As CRASH_AT takes it. Of several, each kills the service that has been started again after the one before. */
  readonly crashAt: readonly [string, ...string[]];
  readonly scenario: DrillScenario;
  /** The service reaches the point so often at least: which of them kills it comes from the seed. */
  readonly reached: number;
  /** Of its campaign, where the point is too rare for the usual number. */
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

/**
 * Points after which recovery takes its time, because the rules say so: the carrier's "absent" counts 20 s after the write-ahead, an attempt that was
 * not placed is repeated after 30 s, a webhook of unknown outcome is sent again after 20 s, a slot without a call is freed 45 s after its dialAt.
 */
const SLOW_POINTS: readonly DrillPoint[] = [
  inCampaign(4, "after-append-CallRequested"),
  inCampaign(4, "after-append-CallDialingBegan"),
  inCampaign(4, "before-place-call"),
  inCampaign(2, "after-admission"),
  inCampaign(2, "before-append-ContactDialed"),
  inCampaign(2, "webhook-claimed"),
  inCampaign(2, "webhook-answered"),
  inCampaign(1, "before-place-call", "before-look-up"),
  inCampaign(1, "before-place-call", "after-look-up"),
  during("single-call", "after-append-CallRequested"),
  during("single-call", "before-place-call"),
  during("single-call", "before-append-CallRequested"),
  during("single-call", "after-admission"),
];

/** Points from which the service goes on at once. */
const FAST_POINTS: readonly DrillPoint[] = [
  inCampaign(2, "after-append-ContactDialed"),
  inCampaign(4, "before-start-call"),
  inCampaign(4, "before-append-CallRequested"),
  inCampaign(4, "after-place-call"),
  inCampaign(4, "before-append-CallRinging"),
  inCampaign(4, "after-append-CallRinging"),
  inCampaign(3, "before-append-CallConnected"),
  inCampaign(3, "after-append-CallConnected"),
  inCampaign(2, "after-append-CallConversationStarted"),
  inCampaign(4, "after-append-CallMessageAdded"),
  inCampaign(2, "before-append-CallCompleted"),
  inCampaign(2, "after-append-CallCompleted"),
  inCampaign(3, "before-append-CallFailed"),
  inCampaign(3, "after-append-CallFailed"),
  inCampaign(2, "after-append-CallRecordingAvailable"),
  inCampaign(12, "before-carrier-event"),
  inCampaign(12, "after-carrier-event"),
  inCampaign(1, "before-append-ContactSucceeded"),
  inCampaign(1, "after-append-ContactSucceeded"),
  inCampaign(1, "before-append-ContactAttemptFailed"),
  inCampaign(1, "after-append-ContactAttemptFailed"),
  inCampaign(1, "before-append-CampaignStarted"),
  inCampaign(1, "after-append-CampaignStarted"),
  inCampaign(1, "before-append-CampaignCompleted"),
  inCampaign(1, "after-append-CampaignCompleted"),
  inCampaign(2, "before-admission"),
  inCampaign(2, "before-close-slots"),
  inCampaign(2, "after-close-slots"),
  inCampaign(6, "before-save-checkpoint"),
  inCampaign(6, "before-commit-rows"),
  inCampaign(6, "after-commit-rows"),
  inCampaign(3, "before-enqueue-webhooks"),
  inCampaign(3, "after-enqueue-webhooks"),
  inCampaign(2, "webhook-recorded"),
  inCampaign(1, "before-take-over"),
  inCampaign(1, "after-append-ContactDialed", "before-take-over"),
  inCampaign(1, "after-place-call", "before-save-checkpoint"),
  during("import", "before-import-row"),
  during("import", "after-import-row"),
  { ...during("import", "after-append-ContactsImported"), reached: 2 },
  { ...during("import", "after-import-chunk"), reached: 2 },
  during("import", "before-append-CampaignCreated"),
  during("import", "after-append-CampaignCreated"),
  during("single-call", "after-place-call"),
  during("single-call", "after-append-CallRinging"),
  during("hang-up", "before-append-CallEndRequested"),
  during("hang-up", "after-append-CallEndRequested"),
  during("hang-up", "before-hang-up"),
  during("hang-up", "after-hang-up"),
  inConversation(12, "after-append-CallMessageAdded"),
  inConversation(12, "before-append-CallMessageAdded"),
  inConversation(2, "after-append-CallToolBegan"),
  inConversation(2, "after-append-CallToolEnded"),
  // One line of sixteen is interrupted: of twenty calls it may be none.
  { ...inConversation(1, "after-append-CallSpeechCut"), contacts: 60 },
  inConversation(1, "after-append-CallHandedOver"),
  inConversation(2, "after-append-CallSessionBegan"),
  inConversation(2, "after-append-CallSessionEnded"),
];

export const DRILL_POINTS: readonly DrillPoint[] = [...SLOW_POINTS, ...FAST_POINTS];

/** Also of several, one of which is slow. */
export function isSlow({ scenario, crashAt }: DrillPoint): boolean {
  return SLOW_POINTS.some((slow) => slow.scenario === scenario && crashAt.includes(slow.crashAt[0]));
}

/** As people name it: `after-append-ContactDialed`, `single-call/after-place-call`, `before-place-call+before-look-up`. */
export function pointName({ crashAt, scenario }: DrillPoint): string {
  const points = crashAt.join("+");
  return scenario === "campaign" ? points : `${scenario}/${points}`;
}
