import type { Instant } from "../../domain/shared/instant.ts";
import type { Report } from "./broken-rule.ts";
import type { AuditedCall, CampaignBook } from "./campaign-book.ts";

/**
 * How long a call may last beyond ring time and maximum duration: ten minutes of look-ups, the grace of a
 * deadline, and a hang-up without confirmation.
 */
const BEYOND_ITS_LIMITS_MILLIS = 10 * 60_000 + 60_000;
/** Added for a restart and for recording the outcome. */
const SLACK_MILLIS = 5 * 60_000;

/** What can be checked only at the end of the history. `now` null: nothing counts as late. */
export function judgeEnd(book: CampaignBook, now: Instant | null, report: Report): void {
  for (const call of book.live) {
    if (now !== null && Date.parse(now) > latestEnd(call))
      report(
        "every-attempt-ends",
        `${call.dial.event.data.callId} ${call.end === null ? "never ended" : "has no outcome"}`,
        ...[call.dial, call.furthest].filter((event) => event !== null),
      );
  }
  const standings = [...book.contacts.values()].map(({ standing }) => standing);
  const inCalls = standings.filter((standing) => standing === "in_call").length;
  if (inCalls !== book.live.size)
    report("counts-add-up", `${inCalls} contacts are in ${book.live.size} calls`);
  if (book.status !== "CANCELLED" && book.status !== "COMPLETED") return;
  const left = standings.filter((standing) => standing === "to_call" || standing === "waiting").length;
  if (left > 0) report("counts-add-up", `${left} contacts are left when the campaign is over`);
}

function latestEnd({ dial, request }: AuditedCall): number {
  const { ringTimeoutSeconds = 0, maxDurationSeconds = 0 } = request?.event.data ?? {};
  const talk = (ringTimeoutSeconds + maxDurationSeconds) * 1_000;
  return Date.parse(dial.event.data.dialBy) + talk + BEYOND_ITS_LIMITS_MILLIS + SLACK_MILLIS;
}
