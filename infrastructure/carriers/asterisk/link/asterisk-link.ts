import { randomBytes } from "node:crypto";
import type { Clock } from "../../../../application/ports/clock.ts";
import type { Logger } from "../../../../application/ports/logger.ts";
import type { Metrics } from "../../../../application/ports/metrics.ts";
import type { AriClient } from "../ari/ari-client.ts";
import { type AriEvent, infoSchema } from "../ari/ari-schemas.ts";
import { readVariable, setVariable } from "../ari/ari-variables.ts";
import { clockAhead, clocksApart } from "../ari/asterisk-clock.ts";
import { isNewEnough, NEEDED_VERSIONS } from "../ari/version.ts";
import { type EventSocket, openEventSocket } from "./event-socket.ts";

const BEAT_EVERY_MILLIS = 2_000;
/** Nobody is dialled unless an event arrived within this time. */
const FRESH_MILLIS = 6_000;
/** The clocks are compared once in so many heartbeats. */
const BEATS_A_LOOK = 15;
const FIRST_PAUSE_MILLIS = 250;
const LONGEST_PAUSE_MILLIS = 5_000;
/** The longest wait for an answer of an Asterisk that is being asked. */
const ASKING_MILLIS = 5_000;

export type LinkState =
  /** `refuses`: why nobody is dialled all the same; null: dials are accepted. */
  { readonly kind: "up"; readonly refuses: string | null } | { readonly kind: "down"; readonly why: string };

/** The connection to one Asterisk: its events are monitored, and subscribed again when they stop. */
export interface AsteriskLink {
  /**
   * null: dials are accepted now. Without events nobody is dialled, because an answered
   * call would be dropped.
   */
  refuses(): string | null;
  /** Asterisk was asked once, or does not answer within 5 s. */
  asked(): Promise<void>;
  /** Asks now what is asked from time to time: whether it is there, and the time. At most 5 s. */
  askAgain(): Promise<void>;
  /** Id of the current run of Asterisk; null: unknown, nobody is dialled. */
  instance(): Promise<string | null>;
  stop(): Promise<void>;
}

export type AsteriskLinkDeps = {
  readonly ari: AriClient;
  /**
   * The ARI application of this process. It must be unique: a second one with the same
   * name replaces the first.
   */
  readonly app: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly onEvent: (event: AriEvent) => void;
  /** Events arrive (again): what happened meanwhile is looked up before anybody is dialled. Never rejects. */
  readonly onUp: (instance: string) => Promise<void>;
  /** A heartbeat arrived. Never rejects. */
  readonly onBeat: () => Promise<void>;
};

export function startAsteriskLink(deps: AsteriskLinkDeps): AsteriskLink {
  const { ari, clock } = deps;
  const stopping = new AbortController();
  const link = new Link(deps, stopping.signal);
  const running = link.run();
  return {
    refuses: () => link.refuses(),
    asked: () => link.asked(),
    askAgain: () => link.askAgain(),
    instance: async () => (link.refuses() === null ? readInstance(ari, clock) : null),
    stop: async () => {
      stopping.abort();
      link.close();
      await running;
    },
  };
}

class Link {
  readonly #deps: AsteriskLinkDeps;
  readonly #stop: AbortSignal;
  #state: LinkState = { kind: "down", why: "Asterisk has not been asked yet" };
  #isAsked = false;
  #outcome = Promise.withResolvers<void>();
  #pausing = new AbortController();
  #socket: EventSocket | null = null;
  #beatenAt = Number.NEGATIVE_INFINITY;

  constructor(deps: AsteriskLinkDeps, stop: AbortSignal) {
    this.#deps = deps;
    this.#stop = stop;
  }

  refuses(): string | null {
    if (this.#state.kind === "down") return this.#state.why;
    if (this.#state.refuses !== null) return this.#state.refuses;
    const isFresh = this.#deps.clock.monotonicMillis() - this.#beatenAt <= FRESH_MILLIS;
    return isFresh ? null : "No events come from Asterisk";
  }

  asked(): Promise<void> {
    return this.#isAsked ? Promise.resolve() : this.#nextOutcome();
  }

  async askAgain(): Promise<void> {
    if (this.#state.kind === "up") return this.#lookAtClocks();
    this.#pausing.abort();
    await this.#nextOutcome();
  }

  #nextOutcome(): Promise<void> {
    return Promise.race([this.#outcome.promise, this.#deps.clock.sleep(ASKING_MILLIS, this.#stop)]);
  }

  #become(state: LinkState): void {
    this.#state = state;
    this.#isAsked = true;
    this.#outcome.resolve();
    this.#outcome = Promise.withResolvers<void>();
  }

  close(): void {
    this.#socket?.close();
  }

  async run(): Promise<void> {
    const { clock, logger, metrics } = this.#deps;
    for (let pause = FIRST_PAUSE_MILLIS; !this.#stop.aborted; ) {
      const why = await this.#serve();
      const last = this.#last();
      if (last.kind === "up") {
        pause = FIRST_PAUSE_MILLIS;
        if (!this.#stop.aborted) metrics.count("ringfold_asterisk_reconnects_total", {});
      }
      const isNew = last.kind === "up" || last.why !== why;
      this.#become({ kind: "down", why });
      if (isNew && !this.#stop.aborted)
        logger.warn({ why }, "no way to Asterisk: nobody is dialled through it");
      this.#pausing = new AbortController();
      await clock.sleep(pause, AbortSignal.any([this.#stop, this.#pausing.signal]));
      pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
    }
  }

  /** `serve` changes it meanwhile. */
  #last(): LinkState {
    return this.#state;
  }

  /** Runs until the events stop; returns why. */
  async #serve(): Promise<string> {
    const { ari, app, clock, logger, onEvent, onUp } = this.#deps;
    const judged = await judge(this.#deps);
    if (judged.kind === "down") return judged.why;
    const socket = await openEventSocket(ari, app, onEvent);
    if (socket === null) return "Asterisk does not open its events (/ari/events)";
    this.#socket = socket;
    try {
      const instance = await readInstance(ari, clock);
      if (instance === null) return "Asterisk does not keep RF_SINCE: the ARI user must not be read_only";
      if (!(await this.#beat(socket))) return "Asterisk's events do not arrive";
      await onUp(instance);
      this.#become(judged);
      logger.info({ refuses: judged.refuses }, "Asterisk's events arrive");
      return await this.#watch(socket);
    } finally {
      socket.close();
      this.#socket = null;
    }
  }

  async #watch(socket: EventSocket): Promise<string> {
    const { clock } = this.#deps;
    const cut = new AbortController();
    void socket.closed.then(() => cut.abort());
    const ending = AbortSignal.any([cut.signal, this.#stop]);
    for (let beats = 1; ; beats += 1) {
      await clock.sleep(BEAT_EVERY_MILLIS, ending);
      if (ending.aborted) return "Asterisk closed its events";
      if (!(await this.#beat(socket))) return "Asterisk's events do not arrive";
      if (beats % BEATS_A_LOOK === 0) await this.#lookAtClocks();
    }
  }

  async #lookAtClocks(): Promise<void> {
    const ahead = await comparedClock(this.#deps);
    if (ahead === null || this.#state.kind === "down") return;
    const apart = clocksApart(ahead);
    if (apart !== null && this.#state.refuses === null)
      this.#deps.logger.warn({ apart }, "nobody is dialled");
    if (this.#state.refuses === null || isAboutClocks(this.#state.refuses))
      this.#state = { kind: "up", refuses: apart };
  }

  async #beat(socket: EventSocket): Promise<boolean> {
    const came = await socket.beat();
    if (!came) return false;
    this.#beatenAt = this.#deps.clock.monotonicMillis();
    await this.#deps.onBeat();
    return true;
  }
}

function isAboutClocks(why: string): boolean {
  return why.startsWith("Asterisk's clock");
}

type Comparing = Pick<AsteriskLinkDeps, "ari" | "clock" | "metrics">;

async function comparedClock({ ari, clock, metrics }: Comparing): Promise<number | null> {
  const ahead = await clockAhead(ari, clock);
  if (ahead !== null)
    metrics.observe("ringfold_asterisk_clock_difference_seconds", Math.abs(ahead) / 1_000, {});
  return ahead;
}

/** Whether it may be used for dials: its version and its clock. */
async function judge(deps: Comparing): Promise<LinkState> {
  const { ari } = deps;
  const answer = await ari.request({ method: "GET", path: "/asterisk/info" });
  if (answer.kind === "failed") return { kind: "down", why: `Asterisk cannot be reached (${answer.cause})` };
  if (answer.status === 401 || answer.status === 403)
    return { kind: "down", why: "Asterisk refuses the user or the password" };
  const info = infoSchema.safeParse(answer.body);
  if (answer.status !== 200 || !info.success)
    return { kind: "down", why: `Asterisk answers ${answer.status} to /ari/asterisk/info: is ARI enabled?` };
  const { version } = info.data.system;
  if (!isNewEnough(version))
    return { kind: "up", refuses: `Asterisk ${version} is too old: it must be ${NEEDED_VERSIONS} at least` };
  const ahead = await comparedClock(deps);
  if (ahead === null) return { kind: "down", why: "Asterisk does not tell the time (/ari/asterisk/ping)" };
  return { kind: "up", refuses: clocksApart(ahead) };
}

const NAME = "RF_SINCE";
/** Another worker may set it at the same moment: the last one counts for both. */
const SETTLE_MILLIS = 250;

/**
 * Id of this run of this Asterisk: drawn by the first process and stored in a global variable. So it is gone
 * after a restart, and after a reload that clears such variables. null: it cannot be read.
 */
async function readInstance(
  ari: Pick<AriClient, "request">,
  clock: Pick<Clock, "now" | "sleep">,
): Promise<string | null> {
  const value = await readVariable(ari, NAME);
  if (value !== "") return value;
  if (!(await setVariable(ari, NAME, `${clock.now()}-${randomBytes(6).toString("hex")}`))) return null;
  await clock.sleep(SETTLE_MILLIS);
  const settled = await readVariable(ari, NAME);
  return settled === "" ? null : settled;
}
