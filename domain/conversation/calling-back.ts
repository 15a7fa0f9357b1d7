import type { CallbackTerms, CallCallbackAgreed } from "../call/events.ts";
import { type CallbackRefusal, callbackMoment, isLocalTime } from "../campaign/window/callback-moment.ts";
import type { Instant } from "../shared/instant.ts";
import type { JsonObject, JsonValue } from "../shared/json.ts";
import { beginningOf } from "../shared/storable-text.ts";
import { fitsUtf8 } from "../shared/utf8.ts";
import { localTime } from "../window/call-window.ts";
import type { AskedCall } from "./inputs.ts";
import { AGREEMENTS_OF_A_CALL } from "./limits.ts";
import type { Move } from "./move.ts";
import { readArguments } from "./reading-arguments.ts";
import { record } from "./recording.ts";
import { CALL_BACK_LATER } from "./script.ts";
import { asItCame, beginWord, endWord, toolCallIdFor } from "./tool-words.ts";

export const CALL_BACK_LATER_MEANS =
  "Agrees when the customer is called again, if they ask for it. Promise only what the answer says. Agreeing once more replaces what was agreed; at null takes it back.";

export const CALL_BACK_LATER_TAKES: JsonObject = {
  type: "object",
  properties: {
    at: {
      type: ["string", "null"],
      description:
        "Local date and time of the customer, as YYYY-MM-DDTHH:MM without an offset; null takes an agreement back",
    },
    note: { type: "string", description: "What the next call is about, in at most 300 bytes" },
  },
  required: ["at"],
  additionalProperties: false,
};

const NOTE_BYTES = 300;
const AT_CHARACTERS = 64;

/** What was asked for, or a sentence for the model about what is wrong with it. */
type Asked = { readonly at: string | null; readonly note: string | null } | { readonly fault: string };

/**
 * Answers the model at once, and truthfully. An agreement is spoken of when it is durable. The result is the
 * fault of the arguments; null: none.
 */
export function callBackLater(move: Move, call: AskedCall, turn: number): string | null {
  const asked = askedFor(readArguments(call.arguments, CALL_BACK_LATER_TAKES));
  if ("fault" in asked) return asked.fault;
  const { at, note } = asked;
  const { shown, callback } = answerTo(move, at, note);
  const toolCallId = toolCallIdFor(move);
  const given = { at, ...(note === null ? {} : { note }) };
  const began = { toolId: null, toolName: CALL_BACK_LATER, arguments: given, repeatable: true, turn };
  move.live.answerWaitsFor = record(
    move,
    beginWord(move, toolCallId, { ...began, ...asItCame(call) }),
    ...(callback === null ? [] : [{ type: "AgreeCallback", callback } as const]),
    endWord(toolCallId, callback === null ? "refused" : "answered", shown),
  );
  return null;
}

function askedFor(given: JsonObject | null): Asked {
  if (given === null) return { fault: "The arguments are no JSON object." };
  const { at, note = null, ...others } = given;
  if (at !== null && typeof at !== "string") return { fault: "The argument at must be a string or null." };
  if (note !== null && typeof note !== "string") return { fault: "The argument note must be a string." };
  const [strange] = Object.keys(others);
  if (strange !== undefined) return { fault: `There is no argument ${beginningOf(strange, 64)}.` };
  return { at: at === null ? null : beginningOf(at, AT_CHARACTERS), note: noteOf(note) };
}

function noteOf(given: JsonValue): string | null {
  if (typeof given !== "string" || given.trim() === "") return null;
  let units = NOTE_BYTES;
  while (!fitsUtf8(beginningOf(given, units), NOTE_BYTES)) units -= 1;
  return beginningOf(given, units);
}

type Agreement = Omit<CallCallbackAgreed["data"], "callId" | "at" | "epoch" | "messageIndex">;
/** callback null: nothing is agreed by it, and what was agreed before stands. */
type Answer = { readonly shown: string; readonly callback: Agreement | null };

function answerTo({ past, script, now }: Move, asked: string | null, note: string | null): Answer {
  const stands = past.callbackAsked === null ? "" : ` What was agreed before stands: ${past.callbackAsked}.`;
  const terms = script.callback ?? null;
  if (asked === null) {
    if (past.callbackAsked === null) return { shown: "No call was agreed.", callback: null };
    const none = { asked, callbackAt: null, zone: null, moved: false, note: null };
    return { shown: "Taken back: no call is agreed any more.", callback: none };
  }
  if (past.agreements >= AGREEMENTS_OF_A_CALL)
    return { shown: `Not agreed. It was agreed too often in this call.${stands}`, callback: null };
  if (terms === null) {
    if (!isLocalTime(asked)) return { shown: `${NOT_A_TIME}${stands}`, callback: null };
    const noted = { asked, callbackAt: null, zone: null, moved: false, note };
    return { shown: `Noted: ${asked}. ${NO_CALL}`, callback: noted };
  }
  const moment = callbackMoment(asked, terms, now);
  if ("refused" in moment)
    return { shown: `Not agreed. ${refusal(moment.refused, terms, now)}${stands}`, callback: null };
  const { at, moved } = moment;
  const { zone } = terms;
  const when = `${clockOf(zone, at)} (${zone})`;
  const isMoved = moved ? "Nobody is called at that time. The first possible time after it is agreed: " : "";
  return {
    shown: `${isMoved || "Agreed: "}the call is made on ${when}, unless the campaign is changed. Tell the customer so.`,
    callback: { asked, callbackAt: at, zone, moved, note },
  };
}

const NO_CALL =
  "No call is made by itself: a person has to do it. Tell the customer that it is noted, and promise no call.";
const NOT_A_TIME = "There is no such date and time: write it as YYYY-MM-DDTHH:MM.";

function refusal(why: CallbackRefusal, { zone, maxDays }: CallbackTerms, now: Instant): string {
  switch (why) {
    case "not_a_time":
      return NOT_A_TIME;
    case "past":
      return `That is over, or less than a minute ahead: it is ${clockOf(zone, now)} there.`;
    case "too_far":
      return `Calls are agreed for the next ${maxDays} days only.`;
    case "opens_too_late":
      return "Nobody may be called then, nor within the 7 days after it.";
    case "too_many":
      return "Too many calls were agreed with this customer already.";
  }
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** `Friday 2026-11-27 13:00` */
function clockOf(zone: string, at: Instant): string {
  const local = localTime(zone, at).localTime.slice(0, 16);
  return `${WEEKDAYS[new Date(`${local}Z`).getUTCDay()]} ${local.replace("T", " ")}`;
}

/** What the assistant has to know to agree a time; empty: nothing. */
export function callbackPart(terms: CallbackTerms | null, now: Instant): string {
  if (terms === null) return "";
  return `It is ${clockOf(terms.zone, now)} where the customer is (${terms.zone}).`;
}
