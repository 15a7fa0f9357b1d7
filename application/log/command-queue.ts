import type { DomainEvent } from "../../domain/events.ts";
import type { Position } from "../ports/event-store.ts";
import type { AppendDeps, EventOrigin } from "./append-events.ts";
import type { FoldDeps, FoldedStream, StreamHead } from "./folded-stream.ts";

/**
 * Result of commands that were decided together. `revision` and `position` are those of the stream's last
 * event then (-1 and START for an empty stream).
 */
export type Handled<Event> = {
  readonly events: readonly Event[];
  readonly revision: number;
  readonly position: Position;
};

export type HandleOptions = {
  /** Reads nothing first: the stream is expected not to exist. If it does, it is read then. */
  readonly expectNew?: boolean;
  /**
   * This process owns the stream: a refusal or "already true" by the folded state is accepted
   * without reading new events.
   */
  readonly owned?: boolean;
  /**
   * For facts that stay true once they are: "already true" by the folded state is accepted without reading
   * new events; a refusal is not.
   */
  readonly lasting?: boolean;
};

/** Commands that are decided together. */
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
  /** null: not folded yet, or dropped. */
  folded: FoldedStream<State> | null;
  readonly waiting: (CommandUnit<Command, Event> | QueryUnit<State>)[];
  running: boolean;
};

export type HandlerDeps<State, Command, Event extends DomainEvent> = AppendDeps &
  FoldDeps<State, Command, Event> & {
    /** The campaign of the stream's events, stored in their metadata; null: none. */
    readonly campaignOf?: (state: State, events: readonly Event[]) => string | null;
    /** Number of folded streams in memory. */
    readonly keptStreams: number;
    /** Hardly anybody asks for it again; of such streams few are kept. */
    readonly isOver?: (state: State) => boolean;
  };
