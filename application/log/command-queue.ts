import type { DomainEvent } from "../../domain/events.ts";
import type { Position } from "../ports/event-store.ts";
import type { AppendDeps, EventOrigin } from "./append-events.ts";
import type { FoldDeps, FoldedStream, StreamHead } from "./folded-stream.ts";

/** What came of commands that were decided together. `revision` and `position`: of the stream's last event then (-1 and START when it has none). */
export type Handled<Event> = {
  readonly events: readonly Event[];
  readonly revision: number;
  readonly position: Position;
};

export type HandleOptions = {
  /** Nothing is read first: the stream is expected not to exist. When it does, it is read then. */
  readonly expectNew?: boolean;
  /** This process owns the stream: a refusal or "already so" by the folded state is believed without reading what is new. */
  readonly owned?: boolean;
  /** What is so once stays so, whatever came since: "already so" by the folded state is believed without reading what is new, a refusal is not. */
  readonly lasting?: boolean;
};

/** Commands that wait to be decided together. */
export type CommandUnit<Command, Event> = {
  readonly kind: "commands";
  readonly commands: readonly Command[];
  readonly origin: EventOrigin;
  readonly options: HandleOptions;
  readonly resolve: (handled: Handled<Event>) => void;
  readonly reject: (error: unknown) => void;
};

export type QueryUnit<State> = {
  readonly kind: "query";
  readonly fresh: boolean;
  readonly run: (state: State, head: StreamHead) => void;
  readonly reject: (error: unknown) => void;
};

export type StreamQueue<State, Command, Event> = {
  /** null: not folded yet, or forgotten. */
  folded: FoldedStream<State> | null;
  readonly waiting: (CommandUnit<Command, Event> | QueryUnit<State>)[];
  running: boolean;
};

export type HandlerDeps<State, Command, Event extends DomainEvent> = AppendDeps &
  FoldDeps<State, Command, Event> & {
    /** The campaign that the stream's events belong to beside their own stream; null: none. */
    readonly campaignOf?: (state: State, events: readonly Event[]) => string | null;
    /** Folded streams kept in memory. */
    readonly keptStreams: number;
  };
