const PAUSE_REASONS = [
  "manual",
  "phone_number_inactive",
  "assistant_unpublished",
  "outside_call_window",
  "insufficient_credits",
  "carrier_unavailable",
  "assistant_unavailable",
] as const;
type PauseReason = (typeof PAUSE_REASONS)[number];

export function isPauseReason(text: string): text is PauseReason {
  return PAUSE_REASONS.some((each) => each === text);
}

const WAITED_FOR = ["pace", "slots", "capacity", "credits", "window", "carrier", "assistant"] as const;
type WaitedFor = (typeof WAITED_FOR)[number];

export function isWaitedFor(text: string): text is WaitedFor {
  return WAITED_FOR.some((each) => each === text);
}
