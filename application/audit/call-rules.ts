import { isCallEnd } from "../../domain/call/end-reason.ts";
import type { CallEvent, CallRequested } from "../../domain/call/events.ts";
import { isInstallations } from "../ports/configuration/connections.ts";
import type { AuditedEvent, Report } from "./broken-rule.ts";
import { readAgreement } from "./callback-rules.ts";
import type { AuditedCall, CallEnd, CallStep, CampaignBook } from "./campaign-book.ts";
import { areLastWords, readConversationStep } from "./conversation-rules.ts";
import type { LocalTimes } from "./local-time.ts";
import { judgeDialledTexts, judgeTexts } from "./text-rules.ts";
import { isInside } from "./window-rules.ts";

/** The rank of the state that an event brings; null: it does not change the state. */
const RANK: Readonly<Record<CallEvent["type"], number | null>> = {
  CallRequested: 0,
  CallDialingBegan: 1,
  CallDialOutcomeUnknown: null,
  CallRinging: 2,
  CallConnected: 3,
  CallConversationStarted: 4,
  CallMessageAdded: null,
  CallEndRequested: null,
  CallCompleted: 5,
  CallFailed: 5,
  CallRecordingAvailable: null,
  LateCarrierEventRecorded: null,
  CallSessionBegan: null,
  CallSessionEnded: null,
  CallSpeechCut: null,
  CallToolBegan: null,
  CallToolEnded: null,
  CallHandedOver: null,
  CallDigitsReceived: null,
  CallMachineJudged: null,
  CallTurnFailed: null,
  CallOptedOut: null,
  CallOptOutRevoked: null,
  CallCallbackAgreed: null,
  CallAnalysisRequested: null,
  CallAnalysed: null,
  CallAnalysisFailed: null,
  CallContentErased: null,
};
const ENDED = 5;
/** These events are possible only after a recorded dial. */
const AFTER_THE_DIAL: ReadonlySet<CallEvent["type"]> = new Set([
  "CallDialOutcomeUnknown",
  "CallRinging",
  "CallConnected",
  "CallConversationStarted",
  "CallMessageAdded",
  "CallSessionBegan",
  "CallMachineJudged",
  "CallCompleted",
  "CallRecordingAvailable",
]);
const AFTER_THE_END: ReadonlySet<CallEvent["type"]> = new Set([
  "CallRecordingAvailable",
  "LateCarrierEventRecorded",
  "CallOptedOut",
  "CallOptOutRevoked",
  "CallAnalysisRequested",
  "CallAnalysed",
  "CallAnalysisFailed",
  "CallContentErased",
]);

/** One event of a call of the campaign. The caller leaves out events of other calls. */
export function readCallStep(
  book: CampaignBook,
  recorded: CallStep,
  times: LocalTimes,
  report: Report,
): void {
  const { event } = recorded;
  const call = book.calls.get(event.data.callId);
  if (call === undefined) {
    report("call-has-dial", `${event.data.callId} was never dialled`, recorded);
    return;
  }
  if (event.type === "CallRequested") readRequest(book, call, { ...recorded, event }, report);
  else if (call.request === null)
    report("call-only-forward", `${event.type} before the call was requested`, recorded);
  if (AFTER_THE_DIAL.has(event.type) && call.began === null)
    report("written-ahead", `${event.type} before the dial was written down`, recorded);
  judgeOrder(call, recorded, report);
  readConversationStep(call, recorded, report);
  readAgreement(call, recorded);
  if (event.type === "CallDialingBegan") readBegan(book, call, recorded, times, report);
  if (isCallEnd(event)) readEnd(call, { ...recorded, event }, report);
}

function readRequest(
  book: CampaignBook,
  call: AuditedCall,
  recorded: AuditedEvent<CallRequested>,
  report: Report,
): void {
  call.request ??= recorded;
  const { contactId, attempt, to, dialBy, campaignId } = recorded.event.data;
  const { data } = call.dial.event;
  const same =
    campaignId === data.campaignId &&
    contactId === data.contactId &&
    attempt === data.attempt &&
    to === data.phoneNumber &&
    dialBy === data.dialBy;
  if (!same) report("call-has-dial", `${data.callId} is not the call of its dial`, call.dial, recorded);
  if (!isOfItsLine(call, recorded))
    report(
      "line-as-pinned",
      `${data.callId} is of another number or assistant than its dial`,
      call.dial,
      recorded,
    );
  judgeTexts(book, call, recorded, report);
}

function isOfItsLine({ line }: AuditedCall, { event }: AuditedEvent<CallRequested>): boolean {
  const { from, assistant } = event.data;
  return (
    line === null ||
    (from === line.from &&
      assistant.assistantId === line.assistant.assistantId &&
      assistant.assistantVersion === line.assistant.assistantVersion)
  );
}

function judgeOrder(call: AuditedCall, recorded: CallStep, report: Report): void {
  const { type } = recorded.event;
  const rank = RANK[type];
  const furthest = call.furthest === null ? [recorded] : [call.furthest, recorded];
  if (rank !== null && rank <= call.rank) report("call-only-forward", `${type} comes too late`, ...furthest);
  else if (call.rank === ENDED && !AFTER_THE_END.has(type) && !areLastWords(call, recorded))
    report("call-only-forward", `${type} after the end`, ...furthest);
  if (rank === null || rank <= call.rank) return;
  call.rank = rank;
  call.furthest = recorded;
}

/** The moment of the dial is inside the window that was valid when the dial was allowed. */
function readBegan(
  book: CampaignBook,
  call: AuditedCall,
  recorded: CallStep,
  times: LocalTimes,
  report: Report,
): void {
  const { at } = recorded.event.data;
  const { dialBy, evidence } = call.dial.event.data;
  if (call.began !== null) report("written-ahead", "A call is dialled twice", call.began, recorded);
  call.began ??= recorded;
  if (at >= dialBy) report("written-ahead", `The dial begins at ${at}, not before ${dialBy}`, recorded);
  const zone = call.contact.timezone ?? evidence.timezone;
  const local = times(zone, at);
  if (local === null || !isInside(evidence.window, local.text))
    report("dial-in-window", `The dial begins at ${local?.text ?? at} in ${zone}`, call.dial, recorded);
  if (book.status === null) report("written-ahead", "A dial without a campaign", recorded);
  judgeCourse(call, recorded, report);
  judgeDialledTexts(book, call, recorded, report);
}

/** Older calls stored neither. The installation's default connection is stored as null. */
function judgeCourse(call: AuditedCall, recorded: CallStep, report: Report): void {
  if (recorded.event.type !== "CallDialingBegan") return;
  const { carrier } = recorded.event.data;
  const requested = call.request?.event.data.connectionId ?? null;
  if (carrier === undefined || carrier.kind === "phone") return;
  const wanted = requested !== null && isInstallations(requested) ? null : requested;
  if (carrier.connectionId !== wanted)
    report("dialled-as-requested", `Dialled through ${carrier.connectionId}, requested ${wanted}`, recorded);
}

function readEnd(call: AuditedCall, recorded: CallEnd, report: Report): void {
  const { event } = recorded;
  call.end ??= recorded;
  if (event.type === "CallFailed" && event.data.endReason === "suppressed" && call.began !== null)
    report("suppressed-not-dialled", "A suppressed number was dialled", call.began, recorded);
}
