import type { SessionEndCause } from "../../../domain/call/conversation-events.ts";
import type { RehearsedCaller, RunWarning } from "../../../domain/rehearsal/rehearsal.ts";
import type { Clock } from "../../ports/clock.ts";
import type { LanguageModel } from "../../ports/language-model.ts";
import type { SessionListener, VoiceSession } from "../../ports/voice-session.ts";
import type { CalleeBehaviour } from "../../voice/callee/behaviour.ts";

export type RehearsedCalleeDeps = {
  /** Line time: it stands while a model is asked. */
  readonly line: Pick<Clock, "monotonicMillis" | "sleep">;
  readonly stoodMillis: () => number;
  /** No time passes while this goes on. */
  readonly outside: <T>(effect: () => Promise<T>) => Promise<T>;
  /** A tool runs or the assistant's model is asked: a caller who waits for the assistant waits on. */
  readonly isBusy: () => boolean;
  readonly caller: RehearsedCaller;
  readonly maxTurns: number;
  /** Plays a persona: a model of the assistant's connection. One with `answerAtOnce` is the scripted one. */
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
