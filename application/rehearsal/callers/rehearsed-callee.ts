import type { SessionEndCause } from "../../../domain/call/conversation-events.ts";
import type { RehearsedCaller, RunWarning } from "../../../domain/rehearsal/rehearsal.ts";
import type { Clock } from "../../ports/clock.ts";
import type { LanguageModel } from "../../ports/language-model.ts";
import type { SessionListener, VoiceSession } from "../../ports/voice-session.ts";
import type { CalleeBehaviour, Reaction } from "../../voice/callee/behaviour.ts";
import { createCalleeSession } from "../../voice/callee/callee-session.ts";
import { callerOfTurns, type TurnsOfCaller, turnsAsWritten } from "./caller-of-turns.ts";
import { callerOfPersona } from "./persona.ts";
import { PAUSE_MILLIS } from "./turn-taking.ts";

export type RehearsedCalleeDeps = {
  /** Line time: it stands while a model is asked. */
  readonly line: Pick<Clock, "monotonicMillis" | "sleep">;
  readonly stoodMillis: () => number;
  /** A tool runs or the assistant's model is asked: a caller who waits for the assistant waits on. */
  readonly isBusy: () => boolean;
  readonly caller: RehearsedCaller;
  readonly maxTurns: number;
  /** The assistant that speaks first: the model and the language of a persona are its own. */
  readonly speaker: { readonly model: string | null; readonly language: string | null };
  /** Plays a persona, while no time passes. One with `answerAtOnce` is the scripted one. */
  readonly personaModel: () => Promise<LanguageModel>;
  /** Stands in for a persona where the model is the scripted one. */
  readonly simulatedCallee: (seed: string) => Promise<CalleeBehaviour>;
  readonly seed: string;
  /** The caller hangs up; the session is closed. */
  readonly onHangUp: () => void;
  /** The assistant has said its last words; the session is closed. */
  readonly onFinished: () => void;
  /** The line goes to another number; the session is closed. */
  readonly onTransferred: () => void;
};

/** The far end of a rehearsed call. */
export type RehearsedCallee = {
  readonly session: VoiceSession;
  listen(listener: SessionListener): void;
  close(cause: SessionEndCause): void;
  /** The caller hangs up now, because a bound is reached. */
  hangUp(warning: RunWarning): void;
  readonly warnings: () => readonly RunWarning[];
  /** Why the caller could not be played, in a sentence of ours; null: it could. */
  readonly problem: () => string | null;
};

/** Rejects as `personaModel` does. */
export async function openRehearsedCallee(deps: RehearsedCalleeDeps): Promise<RehearsedCallee> {
  let problem: string | null = null;
  const told: RunWarning[] = [];
  const played = await playerOf(deps, told, (sentence) => {
    problem = sentence;
  });
  const bounded = upTo(deps.maxTurns, played);
  let isOver = false;
  const over = (report: () => void) => () => {
    isOver = true;
    report();
  };
  const opened = createCalleeSession({
    clock: deps.line,
    speed: 1,
    stoodMillis: deps.stoodMillis,
    behaviour: bounded.behaviour,
    linesSaid: 0,
    events: {
      onSaid: () => undefined,
      onHangUp: over(() => {
        if (bounded.isAtBound()) told.push("max_turns");
        deps.onHangUp();
      }),
      onFinished: over(deps.onFinished),
      onTransferred: over(deps.onTransferred),
    },
  });
  return {
    session: opened.session,
    listen: opened.listen,
    close: opened.close,
    hangUp: (warning) => {
      if (isOver) return;
      isOver = true;
      told.push(warning);
      opened.close("hung_up");
      deps.onHangUp();
    },
    warnings: () =>
      opened.linesSaid() < played.lines && !told.some(isOfBound) ? [...told, "caller_not_finished"] : told,
    problem: () => problem,
  };
}

const isOfBound = (warning: RunWarning): boolean => warning === "max_turns" || warning === "too_long";

type Player = {
  readonly behaviour: CalleeBehaviour;
  /** Turns among so many lines, as silence is none. */
  readonly turnsIn: (lines: number) => number;
  /** That it has to say. */
  readonly lines: number;
};

async function playerOf(
  deps: RehearsedCalleeDeps,
  told: RunWarning[],
  onFailed: (problem: string) => void,
): Promise<Player> {
  const { caller, isBusy, speaker } = deps;
  if (caller.kind === "written") return playerOfTurns(turnsAsWritten(caller.turns), isBusy);
  if (caller.kind === "past") return playerOfTurns(caller.call, isBusy);
  const model = await deps.personaModel();
  const each = { turnsIn: (lines: number) => lines, lines: 0 };
  if (model.answerAtOnce === undefined)
    return { behaviour: callerOfPersona(caller, { model, speaker, isBusy, onFailed }), ...each };
  told.push("scripted_persona");
  return { behaviour: await deps.simulatedCallee(deps.seed), ...each };
}

function playerOfTurns(caller: TurnsOfCaller, isBusy: () => boolean): Player {
  const { turns } = caller;
  return {
    behaviour: callerOfTurns(caller, isBusy),
    turnsIn: (lines) => turns.slice(0, lines).filter(({ turn }) => turn.kind !== "silence").length,
    lines: turns.length,
  };
}

const HANGS_UP: Reaction = { kind: "hang_up", pauseMillis: PAUSE_MILLIS };

/** Hangs up in place of one turn more. */
function upTo(most: number, { behaviour, turnsIn }: Player) {
  let isAtBound = false;
  const bounded = (linesSaid: number, reaction: Reaction): Reaction => {
    isAtBound = turnsIn(linesSaid) >= most && TURNS.has(reaction.kind);
    return isAtBound ? HANGS_UP : reaction;
  };
  const { reacts, goesOn } = behaviour;
  return {
    isAtBound: () => isAtBound,
    behaviour: {
      ...behaviour,
      reacts: (linesSaid, ...heard) => bounded(linesSaid, reacts(linesSaid, ...heard)),
      goesOn: (linesSaid) => {
        const reaction = goesOn?.(linesSaid) ?? null;
        return reaction === null ? null : bounded(linesSaid, reaction);
      },
    } satisfies CalleeBehaviour,
  };
}

const TURNS: ReadonlySet<Reaction["kind"]> = new Set(["say", "press", "think"]);
