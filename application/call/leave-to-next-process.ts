import type { CallRequested } from "../../domain/call/events.ts";
import type { Admission } from "../ports/admission.ts";

/**
 * A stored call that this process does not dial any more: the next process that looks at it dials it, unless
 * its dialBy has passed.
 */
export async function leaveToNextProcess(
  { admission }: { readonly admission: Pick<Admission, "setNextLooks"> },
  { callId, dialAt }: Pick<CallRequested["data"], "callId" | "dialAt">,
): Promise<void> {
  await admission.setNextLooks([{ callId, at: dialAt }]);
}
