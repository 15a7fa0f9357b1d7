import type { ModelTool } from "../../application/ports/language-model.ts";
import { CALL_BACK_LATER } from "../../domain/conversation/script.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import { filledArguments } from "./fill-arguments.ts";
import type { Situation } from "./situation.ts";
import { sharesWords, tellingWords } from "./words.ts";

export type ChosenCall = { readonly name: string; readonly arguments: JsonObject };

/**
 * The first function whose name or description shares a significant word with the turn, and whose
 * arguments the turn can fill.
 */
export function chosenCall(tools: readonly ModelTool[], { turn, language }: Situation): ChosenCall | null {
  const said = tellingWords(turn, language);
  for (const tool of tools) {
    if (endsTheCall(tool) || tool.name === CALL_BACK_LATER) continue;
    const naming = namingWords(tool);
    if (!sharesWords(said, naming)) continue;
    const filled = filledArguments(tool.parameters, turn, naming, language);
    if (filled !== null) return { name: tool.name, arguments: filled };
  }
  return null;
}

const TO_PERSON =
  /\b(transfer|hand(s|ed)? (the call )?over|put(s)? through|connect|person|human|colleague|operator|bağla|aktar|yetkili)/i;

/** The first function that leads to somebody else and takes nothing. */
export function callToPerson(tools: readonly ModelTool[]): ChosenCall | null {
  const found = tools.find(
    (tool) =>
      !endsTheCall(tool) &&
      TO_PERSON.test(`${tool.name.replaceAll("_", " ")} ${tool.description}`) &&
      filledArguments(tool.parameters, "", [], "en") !== null,
  );
  return found === undefined ? null : { name: found.name, arguments: {} };
}

/** A tool that ends the call may have any name; then its name or description says so. */
export function endingTool(tools: readonly ModelTool[]): ModelTool | null {
  return tools.find(({ name }) => name === "end_call") ?? tools.find(endsTheCall) ?? null;
}

function endsTheCall({ name, description }: ModelTool): boolean {
  return (
    name === "end_call" ||
    /\b(end(s|ed)?|hang(s)? up|finish(es)?) (the |this )?call\b/i.test(
      `${name.replaceAll("_", " ")} ${description}`,
    )
  );
}

/** Descriptions may be in either language, whatever the language of the call. */
function namingWords({ name, description }: ModelTool): readonly string[] {
  const text = `${name.replaceAll("_", " ")} ${description}`;
  return [...tellingWords(text, "en"), ...tellingWords(text, "tr")];
}
