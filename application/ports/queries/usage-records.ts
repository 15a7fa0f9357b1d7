/** Totals of the owner's calls that were created on one UTC day. */
export type UsageDay = {
  /** `2026-09-01` */
  readonly day: string;
  readonly calls: number;
  /** From answer to end, over the calls that have ended. */
  readonly talkSeconds: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
};
