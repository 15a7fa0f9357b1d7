/**
 * Limits of a conversation, in ms. "Line" times use the session's clock, all others ours
 * (docs/conversation.md).
 */

/** No first part of the model's answer by then: a filler line. */
export const FILLER_AFTER_MILLIS = 5_000;
/** No first part by then: the model is asked once more. */
export const FIRST_PART_MILLIS = 12_000;
/** The longest gap between two parts of an answer. */
export const STALL_MILLIS = 8_000;
/** The longest turn, with its tools. */
export const TURN_MILLIS = 30_000;
export const TOOL_MILLIS = 8_000;
/** Added to a tool's own limit, so that its runner can report the timeout. */
export const TOOL_GRACE_MILLIS = 1_000;
export const TOOL_FILLER_MILLIS = 1_500;
/** A tool is called at most so long after its beginning was sent to the log. */
export const TOOL_LEAVES_MILLIS = 2_000;
/** A tool that began in a lost session has no result; so long after its beginning it is `unknown`. */
export const UNKNOWN_TOOL_MILLIS = 15_000;
/** The longest Retry-After of a model that is obeyed. */
export const LONGEST_RETRY_AFTER_MILLIS = 2_000;
export const ANSWER_TOKENS = 400;
export const ANSWER_CHARACTERS = 2_000;
export const TOOL_ROUNDS = 5;
export const TOOL_CALLS_AT_ONCE = 8;
/** Errors in tool arguments that a turn may have; one more fails it. */
export const ARGUMENT_REPAIRS = 2;
/** The most characters of a tool call's arguments, as the model wrote them. */
export const ARGUMENT_CHARACTERS = 16_384;
export const HISTORY_TOKENS = 24_000;
export const CALL_TOKENS = 200_000;
export const CUSTOMER_TURNS = 500;
export const HANDOFFS_BETWEEN_TURNS = 3;
export const HANDOFFS_OF_A_CALL = 20;
/** Times that a call may agree, one in the place of the other. */
export const AGREEMENTS_OF_A_CALL = 10;
/** The most characters that a customer says in one piece. */
export const WORDS_CHARACTERS = 4_000;
export const DIGITS = 64;

/** Without a reply to an append: a filler after the first time, the end after the second. */
export const SLOW_APPEND_MILLIS = 2_000;
export const LOST_APPEND_MILLIS = 10_000;
export const WAITING_EVENTS = 64;
/** How long a session may take to report what was heard of speech that we stopped. */
export const SETTLE_MILLIS = 500;
/** How long a closing session waits for tools in progress. */
export const LAST_RESULTS_MILLIS = 2_000;

/** Line: speech of the customer counts as over when nothing was reported of it for so long. */
export const SPEECH_MILLIS = 15_000;
/** Line: estimated speed of the assistant's speech. */
export const CHARACTERS_A_SECOND = 15;
/** Line: an utterance without any report counts as heard so long after its estimated end. */
export const HEARD_GRACE_MILLIS = 10_000;
/** Line: the pause that ends a row of digits. */
export const DIGITS_MILLIS = 2_000;
export const DRAIN_MILLIS = 10_000;
export const VOICEMAIL_DRAIN_MILLIS = 1_500;
/** Line: silence that counts as the beep. */
export const BEEP_SILENCE_MILLIS = 1_500;
export const WARNING_MILLIS = 10_000;
/** A transfer that the carrier neither accepts nor refuses fails after this time. */
export const TRANSFER_MILLIS = 30_000;
/** So many silences in a row bring a prompt; the next one ends the call. */
export const SILENCE_PROMPTS = 2;
export const FAILED_TURNS_IN_A_ROW = 2;
/** An end was requested elsewhere and the line is still open: after this time we close it. */
export const STILL_OPEN_MILLIS = 30_000;
