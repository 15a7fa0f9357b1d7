import type { CallDialing } from "../../../../application/call/call-dialing.ts";
import { createCallStarts, type RecordedDial } from "../../../../application/campaign/runner/call-starts.ts";
import type { CallEnd, RunnerDeps } from "../../../../application/campaign/runner/runner-deps.ts";
import { EventStoreError } from "../../../../application/ports/event-store.ts";
import type { CallRequested } from "../../../../domain/call/events.ts";
import type { ContactDialed } from "../../../../domain/campaign/events.ts";
import type { CallId } from "../../../../domain/shared/ids.ts";
import { contact, created, dialed, started } from "../../../domain/campaign/example-campaign.ts";
import { pass } from "../../engine-world.ts";
import { runnerParts } from "./runner-parts.ts";
import { STREAM } from "./runner-world.ts";

/** Its turn comes two seconds after the beginning of the test, and it may be dialled until 15 s later. */
export function dialOf(number: number): ContactDialed["data"] {
  const event = dialed(number);
  if (event.type !== "ContactDialed") throw new Error("no dial");
  return event.data;
}
export const DIAL = dialOf(1);
export const TOO_LARGE = new EventStoreError({ kind: "too_large", what: "event", bytes: 2, limit: 1 });
export const GONE = new EventStoreError({ kind: "deleted", stream: "call-call_1" });

type Begun = {
  readonly millis: number;
  readonly request: CallRequested["data"];
  readonly origin: Parameters<CallDialing["begin"]>[1];
  readonly options: Parameters<CallDialing["begin"]>[2];
};

/** Dials that fail as told, one after another; the others begin. */
export async function startsOf(
  failures: readonly (Error | null)[] = [],
  differing: (deps: RunnerDeps) => Partial<RunnerDeps> = () => ({}),
) {
  const begun: Begun[] = [];
  const ends: CallEnd[] = [];
  const closed: CallId[] = [];
  const texts: unknown[] = [];
  const [lost, stopped] = [new AbortController(), new AbortController()];
  const parts = runnerParts((deps) => ({
    admission: {
      ...deps.admission,
      close: async (all) => void closed.push(...all.map(({ callId }) => callId)),
    },
    texts: async (...asked) => {
      texts.push(asked);
      return null;
    },
    dialing: {
      ...deps.dialing,
      stopped: stopped.signal,
      begin: async (request, origin, options) => {
        begun.push({ millis: deps.clock.monotonicMillis(), request, origin, options });
        const failure = failures[begun.length - 1];
        if (failure === null) return null;
        if (failure !== undefined) throw failure;
        const handled = { events: [], revision: 0, position: "0" };
        return { handled, handedOver: Promise.resolve() };
      },
    },
    ...differing(deps),
  }));
  await parts.store(STREAM, ...created([contact(1)], {}), started);
  const starts = createCallStarts(
    parts.deps,
    { recordEnd: async (end) => void ends.push(end), fewLeft: () => undefined },
    lost.signal,
  );
  const passed = (millis: number) => pass(parts.stores, millis);
  return {
    ...parts,
    starts,
    begun,
    ends,
    closed,
    texts,
    passed,
    lose: () => lost.abort(),
    stopDialling: () => stopped.abort(),
    /** Starts it and waits until its turn has come. */
    start: async (changes: Partial<RecordedDial> = {}) => {
      starts.start({ dial: DIAL, checkedAt: 2_000, connectionId: null, ...changes });
      await passed(2_000);
    },
  };
}
