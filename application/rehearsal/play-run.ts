import type { SessionEndCause } from "../../domain/call/conversation-events.ts";
import type { RehearsedCase, RunWarning } from "../../domain/rehearsal/rehearsal.ts";
import type { ConnectionId } from "../../domain/shared/ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";
import type { Ids } from "../ports/ids.ts";
import type { LanguageModel, LanguageModels } from "../ports/language-model.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { PinnedSpeaker } from "../ports/pinned-conversations.ts";
import type { SessionListener, VoiceSession } from "../ports/voice-session.ts";
import type { RehearsalClock } from "./rehearsal-clock.ts";

/** What runs of a process share: everything that is not in the run itself. */
export type RunWorld = {
  /** The real one: while a model is asked, our time in the run goes as it does. */
  readonly clock: Clock;
  /** Resolves when everything that can run now has run: a round of the event loop. */
  readonly turn: () => Promise<void>;
  readonly ids: Ids;
  /** A log of one run in memory, dated by its clock, and its stored form, in which words stay as they are. */
  readonly openLog: (clock: Clock) => EventStore;
  readonly codec: EventCodec;
  readonly models: LanguageModels;
  /** Who is called: a voice session over the run's clock. */
  readonly openCallee: (deps: CalleeDeps) => RehearsedCallee;
  /** Resolves when a turn of a model may begin: other work of this process has enough of the event loop. */
  readonly mayBegin: () => Promise<void>;
  /** The model of this connection asks to wait; null: the installation's. */
  readonly onThrottled: (connectionId: ConnectionId | null, retryAfterMillis: number) => void;
  /** Not those of calls. */
  readonly metrics: Metrics;
  readonly logger: Logger;
};

export type CalleeDeps = {
  readonly clock: RehearsalClock;
  readonly case: RehearsedCase;
  /** The assistant that speaks first. */
  readonly speaker: PinnedSpeaker;
  /** Repeats whoever is played by rules. */
  readonly seed: string;
  /** The speaker's model for a persona: its tokens count, and what it answers takes no time of the run. */
  readonly openModel: () => Promise<LanguageModel>;
  /** The customer has put the phone down; `closed` was told before. */
  readonly onHangUp: () => void;
};

export type RehearsedCallee = {
  readonly session: VoiceSession;
  readonly listen: (listener: SessionListener) => void;
  readonly close: (cause: SessionEndCause) => void;
  readonly warnings: () => readonly RunWarning[];
  /** Why the caller could not go on (their model failed), in a sentence; null: nothing did. */
  readonly problem: () => string | null;
};
