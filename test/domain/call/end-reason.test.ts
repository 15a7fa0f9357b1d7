import { describe, expect, it } from "vitest";
import { END_REASONS, isEndReason, RETRIED_END_REASONS } from "../../../domain/call/end-reason.ts";

/** The table of docs/api.md §4, as it stands there. */
const TABLE = `
customer_ended, assistant_ended, api_ended, max_duration, silence_timeout, transferred, voicemail_message_left | completed | – | yes
busy, no_answer, unreachable | failed | yes | no
voicemail | failed | yes | yes
declined | failed | yes | no
carrier_error, setup_timeout, not_placed | failed | yes | no
connection_lost, assistant_error | failed | yes | yes
invalid_number, invalid_text, permission_denied, suppressed, assistant_unpublished, phone_number_inactive, insufficient_credits | failed | never | no
canceled, outcome_unknown | failed | never | no`;

const rows = TABLE.trim()
  .split("\n")
  .flatMap((line) => {
    const [reasons = "", status = "", retried = "", billed = ""] = line.split(" | ");
    return reasons
      .split(", ")
      .map((reason) => ({ reason, status, retried: retried === "yes", billed: billed === "yes" }));
  });

describe("why a call ended", () => {
  it.each(rows)("$reason: $status, retried $retried, billed $billed", ({ reason, ...row }) =>
    expect(isEndReason(reason) && END_REASONS[reason]).toEqual(row),
  );
  it("is one of these and nothing else", () => {
    expect(Object.keys(END_REASONS).toSorted()).toEqual(rows.map(({ reason }) => reason).toSorted());
    expect(isEndReason("toString")).toBe(false);
  });
  it("is retried unless a campaign says otherwise", () =>
    expect(RETRIED_END_REASONS).toEqual(rows.filter(({ retried }) => retried).map(({ reason }) => reason)));
});
