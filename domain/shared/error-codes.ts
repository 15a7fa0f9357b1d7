/**
 * Every code that a rule refuses a command with.
 *
 * | code | when | details |
 * |---|---|---|
 * | call.not-found | a command to a call that was never requested | – |
 * | call.not-answered | a session of a call that nobody is known to have answered | – |
 * | call.over | a word of a conversation, or a session, after the call's end | – |
 * | call.session-over | a word of a session that is not the latest, or has ended | – |
 * | call.message-not-found | a cut of a message that was never added | messageIndex |
 * | call.not-ended | an analysis of a call that goes on | – |
 * | call.content-erased | an analysis of a call whose texts were erased | – |
 * | call.analysis-limit | the eleventh analysis of a call | – |
 * | campaign.not-found | a command to a campaign that was never created | – |
 * | campaign.invalid-state | the campaign's status does not allow it | status |
 * | campaign.insufficient-credits | started without the price of a minute | – |
 * | campaign.too-many-contacts | the seal would make it more than 10,000 | total |
 * | campaign.import-incomplete | an earlier chunk is missing | importId, stored, expected or firstIndex |
 * | campaign.retry-plan | the plan does not fit retryOn or the window | problems: path in it, message |
 * | campaign.contact-not-found | no contact of this campaign | contactId |
 * | squad.not-found | never created, or deleted | – |
 * | squad.member-not-found | no member of this squad | memberId |
 * | squad.member-exists | the assistant is a member already | assistantId |
 * | squad.limit-reached | 20 members, 10 handoffs of a member, or 256 KiB in all | – |
 * | squad.handoff-not-found | no handoff of this squad | handoffId |
 * | squad.handoff-exists | the two are linked already | – |
 * | squad.handoff-to-itself | both ends are the same member | – |
 * | squad.handoff-end-unknown | an end that is no member | end: "from" or "to" |
 * | policy.changed | not the version that the change expects | version |
 */
export type DomainErrorCode =
  | "call.not-found"
  | "call.not-answered"
  | "call.over"
  | "call.session-over"
  | "call.message-not-found"
  | "call.not-ended"
  | "call.content-erased"
  | "call.analysis-limit"
  | "campaign.not-found"
  | "campaign.invalid-state"
  | "campaign.insufficient-credits"
  | "campaign.too-many-contacts"
  | "campaign.import-incomplete"
  | "campaign.retry-plan"
  | "campaign.contact-not-found"
  | "squad.not-found"
  | "squad.member-not-found"
  | "squad.member-exists"
  | "squad.limit-reached"
  | "squad.handoff-not-found"
  | "squad.handoff-exists"
  | "squad.handoff-to-itself"
  | "squad.handoff-end-unknown"
  | "policy.changed";
