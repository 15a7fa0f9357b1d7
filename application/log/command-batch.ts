import type { DomainEvent } from "../../domain/events.ts";
import { isEventStoreFailure, type StreamName } from "../ports/event-store.ts";
import { appendSurely, prepareEvents } from "./append-events.ts";
import type { CommandUnit, HandlerDeps, StreamQueue } from "./command-queue.ts";
import { catchUp, type FoldedStream, headOf, unread } from "./folded-stream.ts";

const MAX_CONFLICTS = 50;

/** A command unit and its decision: the events, or the rule that forbids it. */
type Decided<Command, Event> = {
  readonly unit: CommandUnit<Command, Event>;
  readonly events: readonly Event[];
  readonly refusal: Error | null;
};

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Result of one pass over the waiting units, before anything is appended. */
type Round<State, Command, Event> = {
  readonly state: State;
  readonly decided: readonly Decided<Command, Event>[];
  /** Decided last and not folded yet. If nothing else was folded, a Conflict needs only the new events. */
  readonly unfolded: readonly Event[];
  /** Events that are not durable were folded: the state is invalid if they are not appended. */
  readonly touched: boolean;
  /** Events of a refused unit were folded: the state is invalid in any case. */
  readonly spoilt: boolean;
  /** The next unit would be refused, or change nothing, by a state that may be old. */
  readonly wantsFresh: boolean;
};

/** Decides and appends the units, again after each Conflict, and settles every one of them. */
export async function handleBatch<State, Command, Event extends DomainEvent>(
  deps: HandlerDeps<State, Command, Event>,
  stream: StreamName,
  queue: StreamQueue<State, Command, Event>,
  batch: readonly CommandUnit<Command, Event>[],
): Promise<void> {
  let left = batch;
  let fresh = false;
  let conflicts = 0;
  let limit = batch.length;
  while (left.length > 0) {
    const units = left.slice(0, limit);
    try {
      const expectsNew = units[0]?.options.expectNew === true;
      const believed: boolean = fresh || (queue.folded === null && !expectsNew);
      const folded = believed ? await refold(deps, stream, queue) : (queue.folded ?? unread(deps.decider));
      const round: Round<State, Command, Event> = decideRound(deps, folded.state, units, believed);
      fresh = round.wantsFresh;
      await appendRound(deps, stream, queue, folded, round);
      left = left.slice(round.decided.length);
    } catch (error) {
      if (isEventStoreFailure(error, "conflict") && conflicts < MAX_CONFLICTS) {
        conflicts += 1;
        fresh = true;
      } else if (isRefused(error) && units.length > 1) {
        // One of the units may be the cause: the others are appended without it.
        limit = Math.ceil(units.length / 2);
      } else {
        queue.folded = null;
        for (const unit of units) unit.reject(error);
        left = left.slice(units.length);
      }
    }
  }
}

/**
 * Reads new events from the log, or all of them when nothing is in memory. When it rejects,
 * nothing is in memory.
 */
export async function refold<State, Command, Event extends DomainEvent>(
  deps: HandlerDeps<State, Command, Event>,
  stream: StreamName,
  queue: StreamQueue<State, Command, Event>,
): Promise<FoldedStream<State>> {
  const folded = queue.folded ?? unread(deps.decider);
  queue.folded = null;
  await catchUp(deps, stream, folded);
  queue.folded = folded;
  return folded;
}

/**
 * Decides the units in order, each on the decisions before it. Stops early when the state must be read again
 * (a refusal or "already true" by a state that may be old), and when a refused unit made the state invalid.
 */
function decideRound<State, Command, Event extends DomainEvent>(
  deps: HandlerDeps<State, Command, Event>,
  start: State,
  units: readonly CommandUnit<Command, Event>[],
  believed: boolean,
): Round<State, Command, Event> {
  const { decide, evolve } = deps.decider;
  const round: Mutable<Omit<Round<State, Command, Event>, "decided">> = {
    state: start,
    unfolded: [],
    touched: false,
    spoilt: false,
    wantsFresh: false,
  };

  const decideUnit = (unit: CommandUnit<Command, Event>): Decided<Command, Event> => {
    const events: Event[] = [];
    try {
      for (const command of unit.commands) {
        for (const event of round.unfolded) round.state = evolve(round.state, event);
        round.touched = round.touched || round.unfolded.length > 0;
        round.unfolded = [];
        round.unfolded = decide(command, round.state);
        events.push(...round.unfolded);
      }
      return { unit, events, refusal: null };
    } catch (error) {
      round.spoilt = events.length > 0;
      return { unit, events: [], refusal: asError(error) };
    }
  };

  const decided: Decided<Command, Event>[] = [];
  for (const unit of units) {
    const one = decideUnit(unit);
    round.wantsFresh = one.events.length === 0 && !believed && !believesFolded(one);
    if (round.wantsFresh) break;
    decided.push(one);
    if (round.spoilt) break;
  }
  return { ...round, decided };
}

/** Whether "no event" or a refusal is accepted although the state may be old. */
function believesFolded<Command, Event>({ unit, refusal }: Decided<Command, Event>): boolean {
  return unit.options.owned === true || (unit.options.lasting === true && refusal === null);
}

/**
 * Appends the decisions of the round, folds them and settles the units. When it rejects, `queue.folded` is
 * null unless the state equals the log.
 */
async function appendRound<State, Command, Event extends DomainEvent>(
  deps: HandlerDeps<State, Command, Event>,
  stream: StreamName,
  queue: StreamQueue<State, Command, Event>,
  folded: FoldedStream<State>,
  round: Round<State, Command, Event>,
): Promise<void> {
  queue.folded = round.touched || round.spoilt ? null : folded;
  const decided = round.decided.flatMap(({ events }) => events);
  const campaignId = deps.campaignOf?.(round.state, decided) ?? null;
  const ofCampaign = campaignId === null ? {} : { campaignId };
  const made = round.decided.map(({ unit, events }) => ({
    events,
    origin: { ...unit.origin, ...ofCampaign },
  }));
  const toAppend = await prepareEvents(deps, made);
  if (toAppend.length > 0) {
    const appended = await appendSurely(deps, stream, folded.revision, toAppend);
    folded.state = round.state;
    for (const event of round.unfolded) folded.state = deps.decider.evolve(folded.state, event);
    folded.revision = appended.revision;
    folded.position = appended.position;
  }
  queue.folded = round.spoilt ? null : folded;
  const head = headOf(folded);
  for (const { unit, events, refusal } of round.decided) {
    if (refusal === null) unit.resolve({ events, ...head });
    else unit.reject(refusal);
  }
}

function isRefused(error: unknown): boolean {
  return isEventStoreFailure(error, "too_large") || isEventStoreFailure(error, "invalid_event");
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
