import type { ModelRequest } from "../../application/ports/language-model.ts";
import { answerIn } from "../../domain/conversation/intents/spoken-intents.ts";
import { CALL_BACK_LATER } from "../../domain/conversation/script.ts";
import { beginningOf } from "../../domain/shared/storable-text.ts";
import { seededRandom } from "../callee/seeded-random.ts";
import { answerFromData } from "./call-data.ts";
import { agreedIn, calledAgain } from "./called-again.ts";
import { type ChosenCall, callToPerson, chosenCall, endingTool } from "./choose-call.ts";
import { isAboutAppointment, isInvited, type OpenQuestion, openQuestion } from "./open-question.ts";
import { type Choice, PHRASES } from "./phrases.ts";
import { type Situation, situationOf } from "./situation.ts";
import { spokenAnswer } from "./spoken-answer.ts";

export type ScriptedReply = { readonly text: string; readonly call: ChosenCall | null };

/**
 * After so many turns of the customer (up to two more by seed) it says goodbye, so that no
 * conversation is endless.
 */
const TURNS_BEFORE_GOODBYE = 5;
/** Of the customer's words, or our own, that are said again. */
const SAID_AGAIN = 300;
const KEYS = "[keys:";

type Asked = Pick<ModelRequest, "messages" | "tools" | "language">;

/** Everything that an answer follows from. */
type Turn = {
  readonly situation: Situation;
  readonly open: OpenQuestion;
  readonly tools: ModelRequest["tools"];
  readonly said: Said;
  readonly isLast: boolean;
};

/** The answer to a conversation: always the same for the same seed. */
export function scriptedReply(request: Asked, seed: string): ScriptedReply {
  const situation = situationOf(request);
  const said = phrasesOf(situation, seed);
  const open = openQuestion(situation);
  const turn = { situation, open, tools: request.tools, said, isLast: situation.turns >= lastTurn(seed) };
  if (situation.answered.length > 0) return afterTools(turn);
  if (situation.turn === "") return words(said.of("offers"));
  if (situation.hasSpoken) return words(said.of("invitations"));
  return (
    aboutUs(turn) ?? callAgain(turn) ?? decision(turn) ?? farewell(turn) ?? wish(turn) ?? smallTalk(turn)
  );
}

type Said = ReturnType<typeof phrasesOf>;

/** Begins at a place given by the seed and goes on by turn, so that nothing is said twice in a row. */
function phrasesOf({ language, turns }: Situation, seed: string) {
  const phrases = PHRASES[language];
  const first = Math.floor(seededRandom(`phrases ${seed}`)() * 1_000);
  return {
    ...phrases,
    of: (choice: Choice): string => phrases[choice][(first + turns) % phrases[choice].length] ?? "",
  };
}

function lastTurn(seed: string): number {
  return TURNS_BEFORE_GOODBYE + Math.floor(seededRandom(`turns ${seed}`)() * 3);
}

function words(text: string): ScriptedReply {
  return { text, call: null };
}

/** The question about the appointment again; without one, whether there is anything else. */
function goOn({ open, said }: Turn): string {
  return open === "come" || open === "not_asked" ? said.askToCome : said.of("invitations");
}

/** Who we are, what we said, and that there shall be no more of it. */
function aboutUs(turn: Turn): ScriptedReply | null {
  const { said, situation } = turn;
  const { meant, optsOut, saidBefore } = situation;
  if (optsOut) return goodbye(turn, said.stopCalling);
  if (meant.has("who")) return words(`${said.who} ${beginningOf(saidBefore[0] ?? "", SAID_AGAIN)}`.trimEnd());
  const last = saidBefore.at(-1);
  if (!meant.has("repeat") || meant.has("another_time") || last === undefined) return null;
  const again = last.startsWith(said.again) ? last.slice(said.again.length).trimStart() : last;
  return words(`${said.again} ${beginningOf(again, SAID_AGAIN)}`);
}

/** A time at which they want to be called, where that can be agreed. */
function callAgain({ situation, tools }: Turn): ScriptedReply | null {
  const wanted = tools.some(({ name }) => name === CALL_BACK_LATER) ? calledAgain(situation) : null;
  return wanted === null ? null : { text: "", call: { name: CALL_BACK_LATER, arguments: wanted } };
}

/** What was answered, and no more than that. */
function afterAgreement(turn: Turn, shown: string): ScriptedReply {
  const { said } = turn;
  const agreed = agreedIn(shown);
  if (agreed.is === "agreed")
    return goodbye(turn, `${said.callAgreed} ${agreed.when}. ${said.of("goodbyes")}`);
  return goodbye(turn, agreed.is === "noted" ? said.callNoted : said.callRefused);
}

/** A plain yes or no to what was asked, or the time that was asked for. */
function decision(turn: Turn): ScriptedReply | null {
  const { open, said, situation } = turn;
  const { meant } = situation;
  const answer = answerIn(meant);
  if (open === "when") {
    if (answer === "no" || meant.has("goodbye") || meant.has("person")) return null;
    const quoted = beginningOf(situation.turn, SAID_AGAIN).trim();
    return words(`${said.timeNoted} “${quoted}”. ${said.of("invitations")}`);
  }
  if (answer === null || answer === "another_time" || meant.has("question")) return null;
  if (open === "moment") {
    if (answer === "no") return goodbye(turn, said.badMoment);
    return words(isAboutAppointment(situation) ? said.askToCome : said.of("offers"));
  }
  if (open === "not_asked" && answer === "yes") return words(said.askToCome);
  if (open === null) return null;
  const noted = (open === "anything" ? said.anything : said.appointment)[answer];
  return meant.has("goodbye")
    ? goodbye(turn, `${noted} ${said.of("goodbyes")}`)
    : words(`${noted} ${said.of("invitations")}`);
}

function farewell(turn: Turn): ScriptedReply | null {
  const { meant } = turn.situation;
  if (meant.has("goodbye")) return goodbye(turn, turn.said.of("goodbyes"));
  const wantsNoMore = meant.has("no") && isInvited(turn.situation) && !meant.has("question");
  return wantsNoMore ? goodbye(turn, turn.said.of("goodbyes")) : null;
}

/** What somebody can be helped with: a function, a person, another time. */
function wish(turn: Turn): ScriptedReply | null {
  const { said, situation, tools } = turn;
  const { meant } = situation;
  const call = chosenCall(tools, situation) ?? (meant.has("person") ? callToPerson(tools) : null);
  if (call !== null) return { text: "", call };
  if (meant.has("person")) return words(`${said.person} ${goOn(turn)}`);
  if (!meant.has("another_time")) return null;
  return words(`${said.appointment.another_time} ${said.askWhen}`);
}

function smallTalk(turn: Turn): ScriptedReply {
  const { isLast, open, said, situation } = turn;
  const { meant } = situation;
  const answer = answerOf(turn);
  if (answer !== null) {
    // Whoever asks is answered, also at the end.
    if (isLast) return goodbye(turn, `${answer} ${said.of("goodbyes")}`);
    return words(`${answer} ${goOn(turn)}`);
  }
  if (isLast || meant.has("thanks")) return goodbye(turn, said.of("goodbyes"));
  if (open === "come") return words(`${said.notClear} ${goOn(turn)}`);
  if (meant.has("yes") && isInvited(situation)) return words(said.of("offers"));
  return words(`${said.of("acknowledgements")} ${goOn(turn)}`);
}

/** To a question, or to keys that were pressed; null: it was neither. */
function answerOf({ said, situation }: Turn): string | null {
  if (situation.turn.startsWith(KEYS)) return said.keys;
  if (!situation.meant.has("question")) return null;
  const data = answerFromData(situation);
  return data === null ? said.of("toQuestions") : `${said.data} ${data}.`;
}

function afterTools(turn: Turn): ScriptedReply {
  const { said, situation, tools } = turn;
  const last = situation.answered.at(-1);
  // A function that is no longer offered belonged to another assistant: this one has just
  // taken over the call.
  if (last === undefined || !tools.some(({ name }) => name === last.name)) return words(said.of("offers"));
  if (last.name === CALL_BACK_LATER) return afterAgreement(turn, last.content);
  const shown = spokenAnswer(last.content);
  if (shown === null) return words(`${said.of("failed")} ${goOn(turn)}`);
  const answer = shown === "" ? said.done : `${said.of("found")} ${shown}.`;
  return words(`${answer} ${goOn(turn)}`);
}

function goodbye({ tools }: Turn, text: string): ScriptedReply {
  const ending = endingTool(tools);
  return { text, call: ending === null ? null : { name: ending.name, arguments: {} } };
}
