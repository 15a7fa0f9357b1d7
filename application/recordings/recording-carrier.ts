import type { Carrier } from "../ports/carrier.ts";
import type { Carriers } from "../ports/carriers.ts";
import type { RecordingTask } from "../ports/recordings.ts";

/** An expected failure, described in a sentence of ours. */
export class StepError extends Error {
  override readonly name = "StepError";
}

/** Recordings are requested only from the carrier of the call's dial. Throws StepError for any other. */
export async function carrierOf(
  { carriers }: { readonly carriers: Pick<Carriers, "dialledOn"> },
  { owner, carrier: identity }: Pick<RecordingTask, "owner" | "carrier">,
): Promise<Carrier> {
  const carrier = await carriers.dialledOn(owner, identity);
  if (carrier === null)
    throw new StepError("the connection that it was dialled on is not configured any more");
  if (identity === null) return carrier;
  const instance = await carrier.instance();
  if (instance === null) throw new StepError("the carrier does not answer");
  if (instance !== identity.instance)
    throw new StepError("another carrier answers than the one it was dialled on");
  return carrier;
}
