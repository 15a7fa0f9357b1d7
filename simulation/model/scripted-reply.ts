import type { ModelRequest } from "../../application/ports/language-model.ts";
import { seededRandom } from "../callee/seeded-random.ts";
import { type ChosenCall, chosenCall, endingTool } from "./choose-call.ts";
import { FAREWELL, PHRASES, THANKS } from "./phrases.ts";
import { type Situation, situationOf } from "./situation.ts";
import { spokenAnswer } from "./spoken-answer.ts";

export type ScriptedReply = { readonly text: string; readonly call: ChosenCall | null };

/**
 * After so many turns of the customer (up to two more by seed) it says goodbye, so that no
 * conversation is endless.
 */
const TURNS_BEFORE_GOODBYE = 5;

/** The answer to a conversation: always the same for the same seed. */
export function scriptedReply(
  request: Pick<ModelRequest, "messages" | "tools">,
  seed: string,
): ScriptedReply {
  const situation = situationOf(request);
  const said = phrasesOf(situation, seed);
  if (situation.answered.length > 0) return { text: afterTools(request, situation, said), call: null };
  if (situation.turn === "") return { text: said.of("offers"), call: null };
  if (situation.hasSpoken) return { text: said.of("invitations"), call: null };
  const turn = situation.turn.toLocaleLowerCase(situation.language);
  if (FAREWELL[situation.language].test(turn)) return goodbye(request, said);
  const call = chosenCall(request.tools, situation);
  if (call !== null) return { text: "", call };
  const isThanks = THANKS[situation.language].test(turn) && !turn.includes("?");
  if (isThanks || situation.turns >= lastTurn(seed)) return goodbye(request, said);
  const first = said.of(turn.includes("?") ? "toQuestions" : "acknowledgements");
  return { text: `${first} ${said.of("invitations")}`, call: null };
}

type Said = ReturnType<typeof phrasesOf>;
type Choice = "acknowledgements" | "toQuestions" | "invitations" | "offers" | "found" | "failed" | "goodbyes";

/** Begins at a place given by the seed and goes on by turn, so that nothing is said twice in a row. */
function phrasesOf({ language, turns }: Situation, seed: string) {
  const phrases = PHRASES[language];
  const first = Math.floor(seededRandom(`phrases ${seed}`)() * 1_000);
  return {
    done: phrases.done,
    of: (choice: Choice): string => phrases[choice][(first + turns) % phrases[choice].length] ?? "",
  };
}

function lastTurn(seed: string): number {
  return TURNS_BEFORE_GOODBYE + Math.floor(seededRandom(`turns ${seed}`)() * 3);
}

function afterTools({ tools }: Pick<ModelRequest, "tools">, { answered }: Situation, said: Said): string {
  const last = answered.at(-1);
  // A function that is no longer offered belonged to another assistant: this one has just
  // taken over the call.
  if (last === undefined || !tools.some(({ name }) => name === last.name)) return said.of("offers");
  const shown = spokenAnswer(last.content);
  if (shown === null) return `${said.of("failed")} ${said.of("invitations")}`;
  const answer = shown === "" ? said.done : `${said.of("found")} ${shown}.`;
  return `${answer} ${said.of("invitations")}`;
}

function goodbye({ tools }: Pick<ModelRequest, "tools">, said: Said): ScriptedReply {
  const ending = endingTool(tools);
  return {
    text: said.of("goodbyes"),
    call: ending === null ? null : { name: ending.name, arguments: {} },
  };
}
