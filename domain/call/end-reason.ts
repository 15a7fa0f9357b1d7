/** Why a call ended, with everything that follows from it (the table of docs/api.md §4). */
type EndReasonRow = {
  readonly status: "completed" | "failed";
  /** A campaign calls the contact again, if its budget allows. */
  readonly retried: boolean;
  /** The seconds since the answer are charged. */
  readonly billed: boolean;
};

const row = (status: EndReasonRow["status"], retried: boolean, billed: boolean): EndReasonRow => ({
  status,
  retried,
  billed,
});

export const END_REASONS = {
  customer_ended: row("completed", false, true),
  assistant_ended: row("completed", false, true),
  api_ended: row("completed", false, true),
  max_duration: row("completed", false, true),
  silence_timeout: row("completed", false, true),
  transferred: row("completed", false, true),
  voicemail_message_left: row("completed", false, true),
  busy: row("failed", true, false),
  no_answer: row("failed", true, false),
  unreachable: row("failed", true, false),
  voicemail: row("failed", true, true),
  declined: row("failed", true, false),
  carrier_error: row("failed", true, false),
  setup_timeout: row("failed", true, false),
  not_placed: row("failed", true, false),
  connection_lost: row("failed", true, true),
  assistant_error: row("failed", true, true),
  invalid_number: row("failed", false, false),
  invalid_text: row("failed", false, false),
  permission_denied: row("failed", false, false),
  suppressed: row("failed", false, false),
  assistant_unpublished: row("failed", false, false),
  phone_number_inactive: row("failed", false, false),
  insufficient_credits: row("failed", false, false),
  canceled: row("failed", false, false),
  outcome_unknown: row("failed", false, false),
} as const satisfies Record<string, EndReasonRow>;

export type EndReason = keyof typeof END_REASONS;

export function isEndReason(text: string): text is EndReason {
  return Object.hasOwn(END_REASONS, text);
}

export const RETRIED_END_REASONS: readonly EndReason[] = Object.keys(END_REASONS)
  .filter(isEndReason)
  .filter((reason) => END_REASONS[reason].retried);

/**
 * Whether a call ended without a dial, for certain: then it counts towards no cap of a policy. `dialBegan`:
 * whether it has CallDialingBegan. What the carrier refused or does not know the fate of was a dial.
 */
export function endedUndialled(endReason: EndReason, dialBegan: boolean): boolean {
  return !dialBegan || endReason === "not_placed";
}

type End = "CallCompleted" | "CallFailed";

/** The event with which a call is over. */
export function isCallEnd<Event extends { readonly type: string }>(
  event: Event,
): event is Extract<Event, { readonly type: End }> {
  return event.type === "CallCompleted" || event.type === "CallFailed";
}
