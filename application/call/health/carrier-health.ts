import type { PlaceCallResult } from "../../ports/carrier.ts";
import type { RouteKey } from "../../ports/carriers.ts";

/** So many dials in a row without any answer make a carrier unavailable (docs/api.md §5, pauseReason). */
const DIALS_IN_A_ROW = 5;

/**
 * What this process knows of each connection. An unavailable one is probed every 10 s
 * (carrier-probe); the others go on.
 */
export type CarrierHealth = {
  readonly unavailable: (key: string) => boolean;
  /** Connections that are unavailable now. */
  readonly away: () => readonly RouteKey[];
  readonly sawDial: (routeKey: RouteKey, result: PlaceCallResult) => void;
  /** Its instance could not be asked for before the dial. */
  readonly sawNobody: (routeKey: RouteKey) => void;
  /**
   * For a campaign that was paused because it was unavailable and is taken over: the carrier must answer
   * before anybody is dialled.
   */
  readonly assumeUnavailable: (routeKey: RouteKey) => void;
  readonly sawAnswer: (key: string) => void;
  /** Calls the listener whenever a connection becomes unavailable or available. */
  readonly onChange: (listener: (key: string) => void) => () => void;
};

type Seen = { readonly routeKey: RouteKey; readonly unanswered: number };

/** `isClosed`: nobody may be dialled through it now, whether it answers or not. */
export function createCarrierHealth(isClosed: (key: string) => boolean = () => false): CarrierHealth {
  const listeners = new Set<(key: string) => void>();
  /** Connections whose last dial had no answer. */
  const silent = new Map<string, Seen>();
  const isAway = (seen: Seen | undefined) => seen !== undefined && seen.unanswered >= DIALS_IN_A_ROW;

  const become = (key: string, seen: Seen | undefined) => {
    const before = isAway(silent.get(key));
    if (seen === undefined) silent.delete(key);
    else silent.set(key, seen);
    if (before === isAway(seen)) return;
    for (const listener of listeners) listener(key);
  };
  const sawNobody = (routeKey: RouteKey) =>
    become(routeKey.key, { routeKey, unanswered: (silent.get(routeKey.key)?.unanswered ?? 0) + 1 });

  return {
    unavailable: (key) => isClosed(key) || isAway(silent.get(key)),
    away: () => [...silent.values()].filter(isAway).map(({ routeKey }) => routeKey),
    sawDial: (routeKey, result) => {
      if ("noAnswerAtAll" in result && result.noAnswerAtAll) sawNobody(routeKey);
      else become(routeKey.key, undefined);
    },
    sawNobody,
    assumeUnavailable: (routeKey) => {
      const unanswered = Math.max(silent.get(routeKey.key)?.unanswered ?? 0, DIALS_IN_A_ROW);
      become(routeKey.key, { routeKey, unanswered });
    },
    sawAnswer: (key) => become(key, undefined),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
