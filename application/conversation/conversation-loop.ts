import type { Effect } from "../../domain/conversation/effects.ts";
import type { Input } from "../../domain/conversation/inputs.ts";
import { nextDue } from "../../domain/conversation/move.ts";
import { type ConversationState, conversationState } from "../../domain/conversation/state.ts";
import { step } from "../../domain/conversation/step.ts";
import { assertNever } from "../../domain/shared/errors.ts";
import { processOrigin } from "../call/call-origin.ts";
import { callStream } from "../log/stream-names.ts";
import type { VoiceSession } from "../ports/voice-session.ts";
import { createWakeSignal } from "../wake-signal.ts";
import type { ConversationDeps } from "./conversation-deps.ts";
import { requestEnd, transferLine } from "./ending-line.ts";
import type { LoadedConversation } from "./load-conversation.ts";
import { createModelAsking } from "./model-asking.ts";
import { storeWords } from "./storing.ts";
import { createToolRunning } from "./tool-running.ts";

/** Nothing is due: the time is told all the same. */
const LONGEST_WAIT_MILLIS = 15_000;

export type ConversationLoop = {
  /** Takes what happened, at once. Never throws. */
  readonly tell: (input: Input) => void;
  /** Resolves when nothing more is said or appended in this session. */
  readonly over: Promise<void>;
};

/** The thin part of a conversation: carries out what the turn machine answers, and tells it what came of it and when its timers ring. */
export function runConversation(
  deps: ConversationDeps,
  { request, past, script, speakers }: LoadedConversation,
  session: VoiceSession,
): ConversationLoop {
  const { clock, logger } = deps;
  const { owner, callId } = request;
  const origin = processOrigin(deps.processId, owner, callId);
  const stream = callStream(callId);
  const state = conversationState({
    script,
    past,
    toolArguments: deps.toolArguments,
    speed: session.speed,
  });
  const ended = new AbortController();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const wake = createWakeSignal(clock, ended.signal);
  const inbox: Input[] = [];
  let busy = false;
  let waitsUntil: number | null = null;

  const tell = (input: Input): void => {
    inbox.push(input);
    if (busy) return;
    busy = true;
    try {
      for (let next = inbox.shift(); next !== undefined; next = inbox.shift()) take(next);
    } catch (error) {
      breakOff(error);
    } finally {
      busy = false;
    }
    const due = nextDue(state);
    if (due !== null && (waitsUntil === null || due < waitsUntil)) wake.wake();
  };
  const take = (input: Input): void => {
    for (const effect of step(state, input, clock.now(), clock.monotonicMillis())) carryOut(effect);
  };
  const models = createModelAsking(deps, { owner, callId, speakers }, tell);
  const tools = createToolRunning(deps, { owner, callId }, tell);

  const carryOut = (effect: Effect): void => {
    switch (effect.type) {
      case "append":
        void storeWords(deps, stream, origin, effect.ticket, effect.commands).then(tell);
        return;
      case "say":
        session.say(effect.utteranceId, effect.token, effect.last, effect.options);
        return;
      case "clear":
        session.clear(effect.utteranceId);
        return;
      case "ask":
        models.ask(effect);
        return;
      case "abort":
        models.abort(effect.generation);
        return;
      case "run_tool":
        tools.run(effect);
        return;
      case "abort_tool":
        tools.abort(effect.toolCallId);
        return;
      case "transfer":
        void transferLine(deps, owner, session, effect.to).then((answer) =>
          tell({ type: "transfer_answered", answer }),
        );
        return;
      case "request_end":
        void requestEnd(deps, callId, effect, origin).then(() => tell({ type: "end_asked" }));
        return;
      case "finish":
        session.finish(0);
        return;
      case "measured":
        deps.metrics.observe("ringfold_turn_seconds", effect.millis / 1_000, { stage: effect.stage });
        return;
      case "used":
        deps.metrics.count("ringfold_model_tokens_total", { direction: "input" }, effect.inputTokens);
        deps.metrics.count("ringfold_model_tokens_total", { direction: "output" }, effect.outputTokens);
        return;
      case "over":
        ended.abort("over");
        end();
        return;
      default:
        assertNever(effect);
    }
  };
  /** A fault of ours: nothing is said by halves, the line is closed and the call ends. */
  const breakOff = (error: unknown): void => {
    logger.error({ callId, error }, "a conversation broke off");
    inbox.length = 0;
    state.live.over = true;
    session.finish(0);
    void requestEnd(deps, callId, { by: "system", reason: "assistant_error" }, origin);
    ended.abort("broken");
    end();
  };
  void ringTimers();
  return { tell, over };

  async function ringTimers(): Promise<void> {
    while (!ended.signal.aborted) {
      const due = nextDue(state);
      waitsUntil = due ?? clock.monotonicMillis() + LONGEST_WAIT_MILLIS;
      await wake.wait(Math.max(0, waitsUntil - clock.monotonicMillis()));
      waitsUntil = null;
      if (!ended.signal.aborted && isDue(state, clock.monotonicMillis())) tell({ type: "time" });
    }
  }
}

function isDue(state: ConversationState, mono: number): boolean {
  const due = nextDue(state);
  return due !== null && due <= mono;
}
