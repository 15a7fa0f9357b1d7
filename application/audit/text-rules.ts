import type { CallRequested } from "../../domain/call/events.ts";
import {
  GREETING_BYTES,
  INSTRUCTIONS_BYTES,
  type PersonalTexts,
  personalTexts,
} from "../../domain/campaign/texts/personalisation.ts";
import { utf8Length } from "../../domain/shared/utf8.ts";
import type { AuditedEvent, Report } from "./broken-rule.ts";
import type { AuditedCall, CallStep, CampaignBook } from "./campaign-book.ts";

type Request = AuditedEvent<CallRequested>;

/**
 * Fills the pinned texts again. A call stored without texts is checked at its dial: it must not be dialled.
 */
export function judgeTexts(book: CampaignBook, call: AuditedCall, recorded: Request, report: Report): void {
  if (hasNoTexts(recorded) || isErased(book, recorded)) return;
  const made = textsOf(call, recorded);
  if (made === null) return;
  if (made.tooLong !== null) {
    report("texts-as-pinned", `${made.tooLong.name} is longer than ${made.tooLong.limit} bytes`, recorded);
    return;
  }
  const said = recorded.event.data;
  const wrong = TEXTS.filter((name) => said[name] !== made[name]);
  if (wrong.length > 0)
    report("texts-as-pinned", `${wrong.join(", ")}: not what the pinned texts make`, call.dial, recorded);
}

/** A call without its texts must not be dialled if there was something to say. */
export function judgeDialledTexts(
  book: CampaignBook,
  call: AuditedCall,
  began: CallStep,
  report: Report,
): void {
  const { request } = call;
  if (request === null || !hasNoTexts(request) || isErased(book, request)) return;
  const made = textsOf(call, request);
  const silent = made?.tooLong === null && TEXTS.every((name) => (made[name] ?? "") === "");
  if (made !== null && !silent)
    report("texts-as-pinned", "A call without its texts is dialled", request, began);
}

const TEXTS = ["greetingMessage", "specialInstructions", "voicemailMessage"] as const;

function hasNoTexts({ event: { data } }: Request): boolean {
  return TEXTS.every((name) => (data[name] ?? "") === "");
}

function isErased({ erased }: CampaignBook, { event }: Request): boolean {
  return erased.has(event.data.callId);
}

/** Campaigns from before the limit may have longer texts. */
function textsOf({ contact, line }: AuditedCall, { event }: Request): PersonalTexts | null {
  if (line === null) return null;
  if (line.placeholders !== undefined) return personalTexts(line, contact);
  const { greetingMessage, specialInstructions } = event.data;
  return personalTexts(line, contact, {
    greeting: Math.max(GREETING_BYTES, utf8Length(greetingMessage ?? "")),
    instructions: Math.max(INSTRUCTIONS_BYTES, utf8Length(specialInstructions ?? "")),
  });
}
