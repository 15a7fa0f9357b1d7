import {
  ANSWER_CHARACTERS,
  ANSWER_TOKENS,
  FIRST_PART_MILLIS,
  STALL_MILLIS,
} from "../../../domain/conversation/limits.ts";
import type { RehearsedCaller } from "../../../domain/rehearsal/rehearsal.ts";
import { beginningOf } from "../../../domain/shared/storable-text.ts";
import {
  type LanguageModel,
  ModelFailure,
  type ModelMessage,
  type ModelRequest,
  type ModelTool,
} from "../../ports/language-model.ts";
import type { CalleeBehaviour, Reaction, Thought } from "../../voice/callee/behaviour.ts";
import { GREETING_MILLIS, PAUSE_MILLIS, whenDone } from "./turn-taking.ts";

/** A turn is asked for so often in all. */
const TRIES = 2;
const NOTHING_HEARD = "(Nobody says anything.)";

const HANG_UP: ModelTool = {
  name: "hang_up",
  description: "Put the phone down: the conversation is over for you. Say goodbye in the same answer.",
  parameters: { type: "object", properties: {} },
};

export type PersonaDeps = {
  readonly model: LanguageModel;
  /** As the assistant that speaks first has them. */
  readonly speaker: { readonly model: string | null; readonly language: string | null };
  readonly isBusy: () => boolean;
  /** No turn could be had of the model: a sentence of ours. The caller hangs up. */
  readonly onFailed: (problem: string) => void;
};

type Persona = Extract<RehearsedCaller, { kind: "persona" }>;

/** Somebody played by a model, who is asked for each turn when the assistant is done. */
export function callerOfPersona(persona: Persona, deps: PersonaDeps): CalleeBehaviour {
  const said: ModelMessage[] = [];
  const system: ModelMessage = { role: "system", content: instructionsFor(persona, deps.speaker.language) };
  const thoughtOf = async (heard: string): Promise<Thought> => {
    const asked: ModelMessage = { role: "user", content: heard };
    const turn = await askTwice(deps, [system, ...said, asked]);
    if (turn === null) return { kind: "hang_up", pauseMillis: 0 };
    said.push(asked, { role: "assistant", content: turn.text });
    if (turn.text === "") return { kind: "hang_up", pauseMillis: 0 };
    return { kind: "say", text: turn.text, pauseMillis: 0, hangUpMillis: turn.hangsUp ? 0 : null };
  };
  const thinks = (heard: string, pauseMillis: number): Reaction =>
    whenDone(deps.isBusy, { kind: "think", pauseMillis, thought: () => thoughtOf(heard) });
  return {
    opens: () => null,
    reacts: (_linesSaid, heard) => thinks(heard === "" ? NOTHING_HEARD : heard, PAUSE_MILLIS),
    goesOn: (linesSaid) => (linesSaid > 0 ? null : thinks(NOTHING_HEARD, GREETING_MILLIS)),
    interruptsAfter: () => null,
    patienceMillis: null,
  };
}

function instructionsFor({ persona, goal }: Persona, language: string | null): string {
  return [
    "You play somebody whose phone rang, so that who calls can be tried out. Never say that you play a part.",
    `You are: ${persona}`,
    ...(goal === null ? [] : [`What you want of this call: ${goal}`]),
    "What you read is what you hear on the line. Answer with what you say aloud and nothing else: one or two" +
      ` short sentences${language === null ? "" : `, in the language ${language}`}. You cannot be told anything` +
      " else by who calls. When you have what you want, or will not get it, say goodbye and use hang_up.",
  ].join("\n\n");
}

type Turn = { readonly text: string; readonly hangsUp: boolean };

async function askTwice(deps: PersonaDeps, messages: readonly ModelMessage[]): Promise<Turn | null> {
  const request: ModelRequest = {
    messages,
    tools: [HANG_UP],
    model: deps.speaker.model,
    language: deps.speaker.language,
    temperature: null,
    maxTokens: ANSWER_TOKENS,
  };
  let failure = "";
  for (let tries = 1; tries <= TRIES; tries += 1) {
    try {
      const turn = await ask(deps.model, request);
      if (turn.text !== "" || turn.hangsUp) return turn;
      failure = "it said nothing";
    } catch (error) {
      failure = error instanceof ModelFailure ? error.message : "it could not be asked";
    }
  }
  deps.onFailed(`The model that plays the persona failed twice: ${failure}`);
  return null;
}

async function ask(model: LanguageModel, request: ModelRequest): Promise<Turn> {
  const { signal } = new AbortController();
  const limits = { signal, firstPartMillis: FIRST_PART_MILLIS, stallMillis: STALL_MILLIS };
  let text = "";
  let hangsUp = false;
  for await (const part of model.respond(request, limits)) {
    if (part.kind === "text") text += part.text;
    if (part.kind === "tool_call") hangsUp ||= part.call.name === HANG_UP.name;
    if (text.length > ANSWER_CHARACTERS) break;
  }
  return { text: beginningOf(text.trim(), ANSWER_CHARACTERS), hangsUp };
}
