import type { Clock } from "../../../../application/ports/clock.ts";
import type { Logger } from "../../../../application/ports/logger.ts";
import type { Metrics } from "../../../../application/ports/metrics.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";
import type { Instant } from "../../../../domain/shared/instant.ts";
import { countRefusal } from "../../count-refusal.ts";
import type { AriClient } from "../ari/ari-client.ts";
import type { AriEvent } from "../ari/ari-schemas.ts";
import { readChannelVariable } from "../ari/ari-variables.ts";
import { instantOfAri } from "../ari/asterisk-clock.ts";
import { callOfRecording } from "../ari/recordings.ts";
import { type ChannelEnd, endedTelling, lostTelling } from "./ended.ts";
import type { EventDelivery } from "./event-delivery.ts";
import type { Line } from "./line.ts";
import { closeTalk, type OpenedTalk, openTalk, type TalkDeps } from "./talks.ts";

/** Cause of a hang-up through ARI. */
const ASKED_FOR = 32;
const TALK_TRIES = 3;
/** Interval at which the end of a call is read again while Asterisk cannot be reached. */
const READ_AGAIN_MILLIS = 1_000;

export type LinesDeps = {
  readonly ari: AriClient;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly delivery: EventDelivery;
  readonly talk: TalkDeps;
};

/** The calls of this process; reports their events as their channels change. */
export interface Lines {
  hear(event: AriEvent): void;
  /** Adds a dial whose reply was lost, or a channel found after a restart. */
  know(callId: CallId): Line;
  all(): readonly Line[];
  has(callId: CallId): boolean;
  /** The current state of a channel. */
  stands(callId: CallId, state: string, inApplication: boolean, at: Instant): void;
  ended(callId: CallId, end: ChannelEnd): Promise<void>;
  /** The Asterisk run of this call has ended. */
  lost(callId: CallId): void;
  /** Opens no further conversation. */
  leave(): void;
}

export function createLines(deps: LinesDeps): Lines {
  return new LinesOfProcess(deps);
}

class LinesOfProcess implements Lines {
  readonly #deps: LinesDeps;
  readonly #lines = new Map<CallId, Line>();
  #leaving = false;

  constructor(deps: LinesDeps) {
    this.#deps = deps;
  }

  hear(event: AriEvent): void {
    const at = instantOfAri(event.timestamp, this.#deps.clock.now());
    if (event.type === "RecordingFinished" || event.type === "RecordingFailed") {
      reportRecording(this.#deps, event, at);
      return;
    }
    if (event.type === "ChannelUserevent" || !isCallChannel(event.channel.id)) return;
    const { id, state } = event.channel;
    if (event.type === "ChannelDestroyed") void this.ended(id, { cause: event.cause, at });
    else if (event.type !== "ChannelHangupRequest") this.stands(id, state, event.type === "StasisStart", at);
    else if (event.cause === ASKED_FOR) this.know(id).hungUp = true;
  }

  know(callId: CallId): Line {
    const known = this.#lines.get(callId);
    if (known !== undefined) return known;
    const line: Line = {
      callId,
      state: "dialled",
      answeredAt: null,
      arrived: false,
      hungUp: false,
      recorded: false,
      talk: null,
    };
    this.#lines.set(callId, line);
    return line;
  }

  all(): readonly Line[] {
    return [...this.#lines.values()];
  }

  has(callId: CallId): boolean {
    return this.#lines.has(callId);
  }

  stands(callId: CallId, state: string, inApplication: boolean, at: Instant): void {
    const line = this.know(callId);
    if (line.state === "over") return;
    line.arrived ||= inApplication;
    if (state === "Ringing") rings(this.#deps, line, at);
    if (state === "Up") isAnswered(this.#deps, line, at);
    if (line.arrived && line.state === "up" && !this.#leaving)
      line.talk ??= talk(this.#deps, line, () => this.#leaving);
  }

  async ended(callId: CallId, end: ChannelEnd): Promise<void> {
    const deps = this.#deps;
    const line = this.know(callId);
    if (line.state === "over") return;
    const before = { ...line };
    line.state = "over";
    await line.talk;
    const known = { ...before, recorded: line.recorded };
    let reported = await endedTelling(deps, known, end);
    while (reported === "unread") {
      await deps.clock.sleep(READ_AGAIN_MILLIS);
      if (this.#leaving) return;
      if (this.#lines.get(callId) !== line) return this.#tellLost(known);
      // If there is no note by then, it may belong to an earlier run of Asterisk.
      reported = await endedTelling(deps, known, { ...end, cause: null });
    }
    if (reported?.type === "ended") countRefusal(deps.metrics, "asterisk", reported);
    const taken = reported === null ? null : deps.delivery.tell(callId, reported);
    // After the end: the recording is complete when the bridge is destroyed, and is reported then.
    await closeTalk(deps.ari, callId);
    await taken;
    this.#lines.delete(callId);
  }

  lost(callId: CallId): void {
    const line = this.#lines.get(callId);
    this.#lines.delete(callId);
    if (line !== undefined) this.#tellLost(line);
  }

  leave(): void {
    this.#leaving = true;
  }

  #tellLost(line: Line): void {
    const { delivery, clock } = this.#deps;
    if (line.state === "up") void delivery.tell(line.callId, lostTelling(line, clock.now()));
  }
}

/** The other half of a dial has the suffix `-2`. */
export function isCallChannel(id: string): id is CallId {
  return id.startsWith("call_") && !id.endsWith("-2");
}

function rings({ delivery }: LinesDeps, line: Line, at: Instant): void {
  if (line.state !== "dialled") return;
  line.state = "ringing";
  void delivery.tell(line.callId, { type: "ringing", dedupeKey: "ringing", occurredAt: at });
}

function isAnswered({ delivery }: LinesDeps, line: Line, at: Instant): void {
  if (line.state === "up") return;
  line.state = "up";
  line.answeredAt = at;
  void delivery.tell(line.callId, {
    type: "answered",
    dedupeKey: "answered",
    occurredAt: at,
    answeredBy: "unknown",
  });
}

function reportRecording(
  { delivery }: LinesDeps,
  event: Extract<AriEvent, { type: "RecordingFinished" | "RecordingFailed" }>,
  at: Instant,
): void {
  const callId = callOfRecording(event.recording.name);
  if (callId === null || !isCallChannel(callId)) return;
  const isThere = event.type === "RecordingFinished";
  void delivery.tell(callId, {
    type: "recording",
    dedupeKey: "recording",
    occurredAt: at,
    status: isThere ? "available" : "failed",
    recordingRef: isThere ? event.recording.name : null,
  });
}

/** Until the call ends or no conversation is possible: audio that breaks off is opened again. */
async function talk(deps: LinesDeps, line: Line, isLeaving: () => boolean): Promise<void> {
  const { ari, logger, delivery } = deps;
  const { callId } = line;
  // Earlier events are delivered first, because a conversation needs a call whose answer is known.
  await delivery.settled(callId);
  const record = (await readChannelVariable(ari, callId, "RF_RECORD")) === "1";
  for (let tries = 1; tries <= TALK_TRIES && line.state === "up"; tries += 1) {
    const opened: OpenedTalk = await openTalk(deps.talk, {
      callId,
      record,
      onLost: () => {
        if (line.state !== "up" || isLeaving()) return;
        line.talk = talk(deps, line, isLeaving);
      },
    });
    if (opened.kind === "open") {
      line.recorded = opened.recorded;
      return;
    }
    if (line.state !== "up" || isLeaving()) return;
    logger.warn({ callId, at: opened.at }, "the conversation of an answered call did not open");
    if (opened.at !== "media") break;
  }
  if (line.state === "up" && !isLeaving()) deps.talk.hangUp(callId);
}
