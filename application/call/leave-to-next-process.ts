import type { CallRequested } from "../../domain/call/events.ts";
import type { Admission } from "../ports/admission.ts";

/** A stored call that this process does not dial any more: whoever looks next dials it, as long as its dialBy is not past. */
export async function leaveToNextProcess(
  { admission }: { readonly admission: Pick<Admission, "setNextLooks"> },
  { callId, dialAt }: Pick<CallRequested["data"], "callId" | "dialAt">,
): Promise<void> {
  await admission.setNextLooks([{ callId, at: dialAt }]);
}
