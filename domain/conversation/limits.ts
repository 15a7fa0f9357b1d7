/** Bounds of a conversation. Times in ms; "line" times run on the session's clock, all others on ours (docs/conversation.md). */

/** A first part of the model's answer later than this: a filler line. */
export const FILLER_AFTER_MILLIS = 5_000;
/** Later than this: the model is asked once more. */
export const FIRST_PART_MILLIS = 12_000;
/** Between two parts of an answer. */
export const STALL_MILLIS = 8_000;
/** A turn with its tools. */
export const TURN_MILLIS = 30_000;
export const TOOL_MILLIS = 8_000;
/** A tool's own limit, and so much more for its runner to say so. */
export const TOOL_GRACE_MILLIS = 1_000;
export const TOOL_FILLER_MILLIS = 1_500;
/** A tool leaves no later than so long after the append of its beginning was started. */
export const TOOL_LEAVES_MILLIS = 2_000;
/** A tool that began in a session that is gone has no result; it is `unknown` so long after its beginning. */
export const UNKNOWN_TOOL_MILLIS = 15_000;
/** Of a model that says when to come back. */
export const LONGEST_RETRY_AFTER_MILLIS = 2_000;
export const ANSWER_TOKENS = 400;
export const ANSWER_CHARACTERS = 2_000;
export const TOOL_ROUNDS = 5;
export const TOOL_CALLS_AT_ONCE = 8;
/** Faults in the arguments of tools that a turn may have; one more fails it. */
export const ARGUMENT_REPAIRS = 2;
/** Of a tool call's arguments as the model wrote them. */
export const ARGUMENT_CHARACTERS = 16_384;
export const HISTORY_TOKENS = 24_000;
export const CALL_TOKENS = 200_000;
export const CUSTOMER_TURNS = 500;
export const HANDOFFS_BETWEEN_TURNS = 3;
export const HANDOFFS_OF_A_CALL = 20;
/** Of what a customer says in one piece. */
export const WORDS_CHARACTERS = 4_000;
export const DIGITS = 64;

/** An append that is not answered: a filler, then the end. */
export const SLOW_APPEND_MILLIS = 2_000;
export const LOST_APPEND_MILLIS = 10_000;
export const WAITING_EVENTS = 64;
/** How long a session may take to say what was heard of an utterance that we stopped. */
export const SETTLE_MILLIS = 500;
/** A closing session waits so long for tools that are under way. */
export const LAST_RESULTS_MILLIS = 2_000;

/** Line: speech that was told to begin is over when nothing was told of it for so long. */
export const SPEECH_MILLIS = 15_000;
/** Line: speech of the assistant, estimated. */
export const CHARACTERS_A_SECOND = 15;
/** Line: an utterance of which nothing is told was heard so long after its estimated end. */
export const HEARD_GRACE_MILLIS = 10_000;
/** Line. */
export const DIGITS_MILLIS = 2_000;
export const DRAIN_MILLIS = 10_000;
export const VOICEMAIL_DRAIN_MILLIS = 1_500;
/** Line: silence that takes the place of a beep. */
export const BEEP_SILENCE_MILLIS = 1_500;
export const WARNING_MILLIS = 10_000;
/** A transfer that the carrier neither takes nor refuses. */
export const TRANSFER_MILLIS = 30_000;
/** From this turn of the customer on no voicemail policy follows. */
export const TURNS_OF_A_PERSON = 2;
/** Silences in a row that bring a prompt; the next one ends the call. */
export const SILENCE_PROMPTS = 2;
export const FAILED_TURNS_IN_A_ROW = 2;
/** Somebody asked for the end, and the line is still open: it is closed by us. */
export const STILL_OPEN_MILLIS = 30_000;
