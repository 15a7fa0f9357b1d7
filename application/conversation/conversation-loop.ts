import type { Effect } from "../../domain/conversation/effects.ts";
import type { Input } from "../../domain/conversation/inputs.ts";
import { nextDue } from "../../domain/conversation/move.ts";
import { type ConversationState, conversationState } from "../../domain/conversation/state.ts";
import { step } from "../../domain/conversation/step.ts";
import { assertNever } from "../../domain/shared/errors.ts";
import { type EventOrigin, processOrigin } from "../log/append-events.ts";
import { callStream } from "../log/stream-names.ts";
import type { VoiceSession } from "../ports/voice-session.ts";
import { createSleepCut, createWakeSignal, type WakeSignal } from "../wake-signal.ts";
import type { ConversationDeps } from "./conversation-deps.ts";
import { requestEnd, transferLine } from "./ending-line.ts";
import { type LoadedConversation, saysOptOut } from "./load-conversation.ts";
import { createModelAsking, type ModelAsking } from "./model-asking.ts";
import { storeWords } from "./storing.ts";
import { createToolRunning, type ToolRunning } from "./tool-running.ts";

/** Without a timer, the time is passed on this often all the same. */
const LONGEST_WAIT_MILLIS = 15_000;

export type ConversationLoop = {
  /** Takes an input at once. Never throws. */
  readonly tell: (input: Input) => void;
  /** Resolves when nothing more is said or appended in this session. */
  readonly over: Promise<void>;
};

/**
 * The thin part of a conversation: carries out the effects of the turn machine, and returns their results and
 * the timers as inputs.
 */
export function runConversation(
  deps: ConversationDeps,
  loaded: LoadedConversation,
  session: VoiceSession,
): ConversationLoop {
  const conversation = new Conversation(deps, loaded, session);
  return { tell: (input) => conversation.tell(input), over: conversation.over };
}

class Conversation {
  readonly over: Promise<void>;
  readonly #deps: ConversationDeps;
  readonly #request: LoadedConversation["request"];
  readonly #session: VoiceSession;
  readonly #origin: EventOrigin;
  readonly #state: ConversationState;
  readonly #models: ModelAsking;
  readonly #tools: ToolRunning;
  readonly #ended = createSleepCut();
  readonly #end: () => void;
  readonly #wake: WakeSignal;
  readonly #inbox: Input[] = [];
  #busy = false;
  #waitsUntil: number | null = null;

  constructor(
    deps: ConversationDeps,
    { request, past, script, speakers }: LoadedConversation,
    session: VoiceSession,
  ) {
    const { owner, callId } = request;
    const { toolArguments } = deps;
    const { promise, resolve } = Promise.withResolvers<void>();
    const tell = (input: Input) => this.tell(input);
    this.over = promise;
    this.#end = resolve;
    this.#deps = deps;
    this.#request = request;
    this.#session = session;
    this.#origin = processOrigin(deps.processId, owner, callId);
    this.#state = conversationState({ script, past, toolArguments, speed: session.speed });
    this.#wake = createWakeSignal(deps.clock, this.#ended);
    this.#models = createModelAsking(deps, { owner, callId, speakers }, tell);
    this.#tools = createToolRunning(deps, { owner, callId }, tell);
    void this.#ringTimers();
  }

  tell(input: Input): void {
    this.#inbox.push(input);
    if (this.#busy) return;
    this.#busy = true;
    try {
      this.#takeAll();
    } catch (error) {
      this.#breakOff(error);
    } finally {
      this.#busy = false;
    }
    const due = this.#nextDue();
    if (due !== null && (this.#waitsUntil === null || due < this.#waitsUntil)) this.#wake.wake();
  }

  #takeAll(): void {
    const { clock } = this.#deps;
    for (let next = this.#inbox.shift(); next !== undefined; next = this.#inbox.shift())
      for (const effect of step(this.#state, next, clock.now(), clock.monotonicMillis(), this.#stood()))
        this.#carryOut(effect);
  }

  #carryOut(effect: Effect): void {
    switch (effect.type) {
      case "append":
        this.#append(effect);
        return;
      case "say":
        this.#session.say(effect.utteranceId, effect.token, effect.last, effect.options);
        return;
      case "clear":
        this.#session.clear(effect.utteranceId);
        return;
      case "ask":
        this.#models.ask(effect);
        return;
      case "abort":
        this.#models.abort(effect.generation);
        return;
      case "run_tool":
        this.#tools.run(effect);
        return;
      case "abort_tool":
        this.#tools.abort(effect.toolCallId);
        return;
      case "transfer":
        this.#transfer(effect.to);
        return;
      case "check_opt_out":
        this.#checkOptOut();
        return;
      case "request_end":
        this.#requestEnd(effect);
        return;
      case "finish":
        this.#session.finish(0);
        return;
      case "measured":
      case "used":
        count(this.#deps.metrics, effect);
        return;
      case "over":
        this.#finish();
        return;
      default:
        assertNever(effect);
    }
  }

  #append({ ticket, commands }: EffectOf<"append">): void {
    const stream = callStream(this.#request.callId);
    void storeWords(this.#deps, stream, this.#origin, ticket, commands).then((input) => this.tell(input));
  }

  #transfer(to: EffectOf<"transfer">["to"]): void {
    void transferLine(this.#deps, this.#request.owner, this.#session, to).then((answer) =>
      this.tell({ type: "transfer_answered", answer }),
    );
  }

  #checkOptOut(): void {
    const { callId } = this.#request;
    void saysOptOut(this.#deps, callId).then((stands) => this.tell({ type: "opt_out_checked", stands }));
  }

  #requestEnd(effect: EffectOf<"request_end">): void {
    void requestEnd(this.#deps, this.#request.callId, effect, this.#origin).then(() =>
      this.tell({ type: "end_asked" }),
    );
  }

  /** After a bug of ours nothing more is said: the line is closed and the call ends. */
  #breakOff(error: unknown): void {
    const { callId } = this.#request;
    this.#deps.logger.error({ callId, error }, "a conversation broke off");
    this.#inbox.length = 0;
    this.#state.live.over = true;
    this.#session.finish(0);
    void requestEnd(this.#deps, callId, { by: "system", reason: "assistant_error" }, this.#origin);
    this.#finish();
  }

  #finish(): void {
    this.#ended.abort();
    this.#end();
  }

  async #ringTimers(): Promise<void> {
    const { clock } = this.#deps;
    while (!this.#ended.aborted) {
      this.#waitsUntil = this.#nextDue() ?? clock.monotonicMillis() + LONGEST_WAIT_MILLIS;
      await this.#wake.wait(Math.max(0, this.#waitsUntil - clock.monotonicMillis()));
      this.#waitsUntil = null;
      if (!this.#ended.aborted && this.#isDue()) this.tell({ type: "time" });
    }
  }

  #stood(): number {
    return this.#session.stoodMillis?.() ?? 0;
  }

  #nextDue(): number | null {
    return nextDue(this.#state, this.#stood());
  }

  #isDue(): boolean {
    const due = this.#nextDue();
    return due !== null && due <= this.#deps.clock.monotonicMillis();
  }
}

type EffectOf<Type extends Effect["type"]> = Extract<Effect, { readonly type: Type }>;

function count(metrics: ConversationDeps["metrics"], effect: EffectOf<"measured" | "used">): void {
  if (effect.type === "measured") {
    metrics.observe("ringfold_turn_seconds", effect.millis / 1_000, { stage: effect.stage });
    return;
  }
  metrics.count("ringfold_model_tokens_total", { direction: "input" }, effect.inputTokens);
  metrics.count("ringfold_model_tokens_total", { direction: "output" }, effect.outputTokens);
}
