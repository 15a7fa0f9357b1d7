/** What the calls of an owner came to that were created on one UTC day. */
export type UsageDay = {
  /** `2026-09-01` */
  readonly day: string;
  readonly calls: number;
  /** Answer to end, of the calls that have ended. */
  readonly talkSeconds: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
};
