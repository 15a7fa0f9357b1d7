import { randomBytes } from "node:crypto";
import type { CarrierEventSink } from "../../application/ports/carrier.ts";
import type { Clock } from "../../application/ports/clock.ts";
import { isSignedBy, SIGNATURE_HEADER, TIMESTAMP_HEADER, TOLERANCE_MILLIS } from "./callback-signature.ts";
import { callbackSchema } from "./carrier-schemas.ts";

export type CallbackAnswer = { readonly status: 204 | 400 | 401 | 503; readonly message: string };

/** The service's end of the carrier's callbacks. */
export interface CarrierCallbacks {
  /** Made at every start; the carrier signs with it. */
  readonly secret: string;
  /** 204 only after every event is durable; after anything else the carrier repeats it. */
  receive(
    headers: Readonly<Record<string, string | string[] | undefined>>,
    rawBody: string,
  ): Promise<CallbackAnswer>;
}

export function createCarrierCallbacks({
  clock,
  sink,
}: {
  readonly clock: Clock;
  readonly sink: CarrierEventSink;
}): CarrierCallbacks {
  const secret = randomBytes(32).toString("base64url");
  return {
    secret,
    receive: async (headers, rawBody) => {
      const timestamp = headers[TIMESTAMP_HEADER];
      const signature = headers[SIGNATURE_HEADER];
      if (
        typeof timestamp !== "string" ||
        typeof signature !== "string" ||
        !isSignedBy(secret, timestamp, rawBody, signature)
      ) {
        return { status: 401, message: "The callback is not signed with the registered secret" };
      }
      if (!(Math.abs(clock.nowMillis() - Number(timestamp)) <= TOLERANCE_MILLIS))
        return { status: 401, message: "The timestamp is too far off" };
      const parsed = parseBody(rawBody);
      if (parsed === null) return { status: 400, message: "The body is not a list of carrier events" };
      return takeAll(parsed.events, sink);
    },
  };
}

type CallbackBody = { readonly events: readonly Parameters<CarrierEventSink>[0][] };

function parseBody(rawBody: string): CallbackBody | null {
  try {
    return callbackSchema.parse(JSON.parse(rawBody));
  } catch {
    return null;
  }
}

async function takeAll(events: CallbackBody["events"], sink: CarrierEventSink): Promise<CallbackAnswer> {
  const taken = await Promise.allSettled(events.map((event) => sink(event)));
  const lost = taken.some(({ status }) => status === "rejected");
  return lost ? { status: 503, message: "Not stored, send it again" } : { status: 204, message: "" };
}
