import type { CarrierEvent } from "../../../application/ports/carrier.ts";
import type { CarrierAnswer, RequestEntrance } from "../../../application/ports/entrances.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import { createRecentMap, type RecentMap } from "../../../application/recent-map.ts";
import { countRefusal } from "../count-refusal.ts";
import type { OpenTwilioOptions } from "../open-carrier-options.ts";
import { answerAction } from "./action.ts";
import { type CallbackAddresses, type CallbackKind, callbackPath, callIdOf } from "./callback-addresses.ts";
import { type Callback, machineEvent, recordingEvent, statusEvent } from "./callback-events.ts";
import { MOST_FIELDS, type Signatures, signedFields } from "./signatures.ts";

export type CallbackDeps = Pick<
  OpenTwilioOptions,
  "clock" | "logger" | "metrics" | "sink" | "livenessOf" | "sessionsBegun" | "sessionIsDue" | "speakerOf"
> & {
  readonly signatures: Signatures;
  readonly addresses: CallbackAddresses;
};

/** So many events are remembered, to recognise repeats. */
const REMEMBERED_EVENTS = 10_000;

/** Routes for Twilio's callbacks. 403 not signed, 404 no such call, 503 not stored (Twilio repeats it). */
export function callbackEntrances(deps: CallbackDeps): readonly RequestEntrance[] {
  const taken = createRecentMap<string, true>(REMEMBERED_EVENTS);
  const reported = (eventOf: (callback: Callback) => CarrierEvent | null): Handle =>
    tell(deps, taken, eventOf);
  return [
    entrance(deps, "status", reported(statusEvent)),
    entrance(deps, "recording", reported(recordingEvent)),
    entrance(deps, "machine", reported(machineEvent)),
    entrance(deps, "action", (callback) => answerAction(deps, callback)),
  ];
}

type Handle = (callback: Callback) => Promise<CarrierAnswer>;

function entrance(deps: CallbackDeps, kind: CallbackKind, handle: Handle): RequestEntrance {
  return {
    method: "POST",
    path: callbackPath(kind),
    answer: async (request) => {
      const fields = signedFields(request);
      const callId = callIdOf(request.params);
      if (!deps.signatures.isSigned(request, fields))
        return plain(403, fields === null ? `More than ${MOST_FIELDS} fields` : "Not signed by Twilio");
      if (callId === null) return plain(404, "There is no such call");
      return unlessAway(deps.logger, kind, async () => {
        if ((await deps.livenessOf(callId)) === "unknown") return plain(404, "There is no such call");
        return handle({ callId, fields, query: request.query, nowMillis: deps.clock.nowMillis() });
      });
    },
  };
}

/** A repeat is passed to the log as well: only the log knows for certain. */
function tell(
  { metrics, sink }: CallbackDeps,
  taken: RecentMap<string, true>,
  eventOf: (callback: Callback) => CarrierEvent | null,
): Handle {
  return async (callback) => {
    const event = eventOf(callback);
    if (event === null) return plain(204, "");
    await sink(event);
    const key = `${event.callId}/${event.dedupeKey}`;
    if (taken.get(key) !== undefined)
      metrics.count("ringfold_carrier_callbacks_repeated_total", { carrier: "twilio" });
    else if (event.type === "ended") countRefusal(metrics, "twilio", event);
    taken.set(key, true);
    return plain(204, "");
  };
}

/** The log is unavailable: Twilio repeats the callback. */
async function unlessAway(
  logger: Logger,
  kind: CallbackKind,
  answer: () => Promise<CarrierAnswer>,
): Promise<CarrierAnswer> {
  try {
    return await answer();
  } catch (error) {
    logger.warn({ kind, error }, "a callback of Twilio could not be stored; Twilio tells it again");
    return plain(503, "Not stored, send it again");
  }
}

function plain(status: number, body: string): CarrierAnswer {
  return { status, contentType: body === "" ? null : "text/plain", body };
}
