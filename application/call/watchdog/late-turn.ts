import type { CallRequested } from "../../../domain/call/events.ts";
import { type Instant, millisOf } from "../../../domain/shared/instant.ts";
import type { Admission } from "../../ports/admission.ts";
import type { Carriers } from "../../ports/carriers.ts";
import type { Clock, StopSignal } from "../../ports/clock.ts";

/** A loaded process may be late by less; that needs no new turn. */
const LATE_MILLIS = 250;

type Deps = {
  readonly carriers: Pick<Carriers, "route">;
  readonly admission: Pick<Admission, "takeTurn">;
  readonly clock: Clock;
};

type Late = Pick<CallRequested["data"], "owner" | "connectionId" | "to" | "dialBy">;

/**
 * A dial that missed its turn (its process died, for example) would come too close to others. If its
 * connection has a pace, it takes another turn and waits for it. Returns the turn: the old one, a later one,
 * or dialBy when there is none before that.
 */
export async function turnInTime(
  { carriers, admission, clock }: Deps,
  { owner, connectionId, to, dialBy }: Late,
  turn: Instant,
  stop: StopSignal,
): Promise<Instant> {
  const now = clock.nowMillis();
  if (now <= millisOf(turn) + LATE_MILLIS || now >= millisOf(dialBy)) return turn;
  const route = await carriers.route(owner, connectionId ?? null, to);
  if (route === null || route.turn.callsPerSecond === null) return turn;
  const next = (await admission.takeTurn(route.turn, dialBy)) ?? dialBy;
  await clock.sleep(Math.max(0, millisOf(next) - clock.nowMillis()), stop);
  return next;
}
