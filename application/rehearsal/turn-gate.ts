import type { ConnectionId } from "../../domain/shared/ids.ts";
import type { Clock, StopSignal } from "../ports/clock.ts";
import { DEFAULT_MODEL_CONNECTION } from "../ports/configuration/connections.ts";

/** null: the installation's model. */
type Connection = ConnectionId | null;

/** What a run asks before it asks a model. */
export type TurnGate = {
  /** Resolves when a model may be asked, or at once when `stop` aborts. */
  readonly mayBegin: (connection: Connection, stop: StopSignal) => Promise<void>;
  /** A server has too much to do: nobody asks it for that long; null: it did not say. */
  readonly throttled: (connection: Connection, retryAfterMillis: number | null) => void;
};

export type TurnGates = {
  /** For a run with these connections; `leave` when it has ended. */
  readonly enter: (connections: readonly Connection[]) => TurnGate & { readonly leave: () => void };
  /** Connections of which no further run may begin now. */
  readonly closed: () => readonly Connection[];
  /** How many runs wait for a server that has too much to do: others are played in their place. */
  readonly standing: () => number;
};

export type TurnGateDeps = {
  readonly clock: Pick<Clock, "monotonicMillis" | "sleep">;
  /** Resolves when this process is not late with anything, or when `stop` aborts. */
  readonly calm: (stop: StopSignal) => Promise<void>;
  /** Where live conversations of this process may ask a model. */
  readonly talkedWith: () => ReadonlySet<Connection>;
};

/** Runs of one process at once, without those that stand. */
export const MOST_RUNS = 10;

const LOOK_MILLIS = 250;
const RETRY_AFTER_MILLIS = 5_000;
const MOST_RETRY_AFTER_MILLIS = 600_000;

/**
 * Live conversations go first: beside them one run asks at a connection, and only while the process is not
 * late. A run that stood goes on when its server may be asked again and one of ten places is free.
 */
export function createTurnGates({ clock, calm, talkedWith }: TurnGateDeps): TurnGates {
  const shutUntil = new Map<ConnectionId, number>();
  /** Connections of each run that is played, the oldest run first. */
  const runs = new Set<ReadonlySet<ConnectionId>>();
  /** Runs that have left their place, each at the connection that is or was shut. */
  const stood = new Map<ReadonlySet<ConnectionId>, ConnectionId>();

  const isShut = (connection: ConnectionId) => (shutUntil.get(connection) ?? 0) > clock.monotonicMillis();
  const isTalkedWith = (connection: ConnectionId) =>
    talkedWith().has(connection) || (connection === DEFAULT_MODEL_CONNECTION && talkedWith().has(null));
  const firstAt = (connection: ConnectionId) => [...runs].find((each) => each.has(connection));

  return {
    enter: (connections) => {
      const run = new Set(connections.map(idOf));
      runs.add(run);
      const waits = (connection: ConnectionId) =>
        isShut(connection) || (isTalkedWith(connection) && firstAt(connection) !== run);
      const hasPlace = () => !stood.has(run) || runs.size - stood.size < MOST_RUNS;
      return {
        mayBegin: async (connection, stop) => {
          const id = idOf(connection);
          while (!stop.aborted && (waits(id) || !hasPlace())) {
            if (isShut(id)) stood.set(run, id);
            await clock.sleep(LOOK_MILLIS, stop);
          }
          stood.delete(run);
          await calm(stop);
        },
        throttled: (connection, retryAfterMillis) => {
          const millis = Math.min(retryAfterMillis ?? RETRY_AFTER_MILLIS, MOST_RETRY_AFTER_MILLIS);
          shutUntil.set(idOf(connection), clock.monotonicMillis() + millis);
        },
        leave: () => {
          runs.delete(run);
          stood.delete(run);
        },
      };
    },
    closed: () => {
      const asked = [...runs].flatMap((each) => [...each]);
      const busy = asked.filter(isTalkedWith);
      const closed = new Set([...busy, ...[...shutUntil.keys()].filter(isShut)]);
      return [...closed].flatMap((id) => (id === DEFAULT_MODEL_CONNECTION ? [id, null] : [id]));
    },
    standing: () => [...stood.values()].filter(isShut).length,
  };
}

function idOf(connection: Connection): ConnectionId {
  return connection ?? DEFAULT_MODEL_CONNECTION;
}
