import type { Clock } from "../ports/clock.ts";
import { retryUntilDone } from "../repeating.ts";
import { type CountPastDialsDeps, countPastDials } from "./count-past-dials.ts";
import { type DialGate, requireNoReason } from "./dial-gate.ts";

export type PastDialsGateDeps = CountPastDialsDeps & { readonly clock: Clock; readonly stop: AbortSignal };

const PAUSES = { first: 100, longest: 5_000 };
const WAITS =
  "The dials of the last 35 days have not been counted from the event log yet: nobody is dialled until they are. Nothing is lost, try again";

/** Nobody is dialled before the dials of before this release, or before a restore, are counted. */
export function withPastDials(gate: DialGate, deps: PastDialsGateDeps): DialGate {
  const { clock, logger, stop } = deps;
  let isCounted = false;
  const onFailure = (error: unknown) =>
    logger.error(
      { problem: String(error) },
      "dials of before cannot be counted; nobody is dialled until they can",
    );
  const counted = gate.opened
    .then(() =>
      retryUntilDone({ clock, pauses: PAUSES, signal: stop, onFailure }, () => countPastDials(deps)),
    )
    .then(() => {
      isCounted = !stop.aborted;
      return isCounted ? undefined : new Promise<never>(() => undefined);
    });
  const waits = () => !isCounted && gate.state() === "open";
  const whyClosed = () => gate.whyClosed() ?? (waits() ? WAITS : null);
  return {
    ...gate,
    opened: counted,
    state: () => (waits() ? "asking" : gate.state()),
    waitsFor: () => gate.waitsFor() ?? (waits() ? "dials" : null),
    whyClosed,
    requireOpen: () => requireNoReason(whyClosed()),
  };
}
