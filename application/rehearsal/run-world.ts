import type { Clock } from "../ports/clock.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";
import type { Ids } from "../ports/ids.ts";
import type { LanguageModels } from "../ports/language-model.ts";
import type { Logger } from "../ports/logger.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { CalleeBehaviour } from "../voice/callee/behaviour.ts";
import type { TurnGate } from "./turn-gate.ts";

/** What runs of a process share: everything that is not in the run itself. */
export type RunWorld = TurnGate & {
  /** The real one: while a model is asked, our time in the run goes as it does. */
  readonly clock: Clock;
  /** Resolves when everything that can run now has run: a round of the event loop. */
  readonly turn: () => Promise<void>;
  readonly ids: Ids;
  /** A log of one run in memory, dated by its clock, and its stored form, in which words stay as they are. */
  readonly openLog: (clock: Clock) => EventStore;
  readonly codec: EventCodec;
  readonly models: LanguageModels;
  /** Stands in for a persona where the model is the scripted one. */
  readonly simulatedCallee: (seed: string) => Promise<CalleeBehaviour>;
  /** Not those of calls. */
  readonly metrics: Metrics;
  readonly logger: Logger;
};
