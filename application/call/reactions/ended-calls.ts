import { isCallEnd } from "../../../domain/call/end-reason.ts";
import type { CallEvent } from "../../../domain/call/events.ts";
import type { DomainEvent } from "../../../domain/events.ts";
import type { Of } from "../../../domain/shared/decider.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { ModelUse } from "../../ports/assistant-check.ts";
import type { Directory } from "../../ports/directory.ts";
import type { Logger } from "../../ports/logger.ts";
import type { AssistantHealth } from "../health/assistant-health.ts";
import { modelUse } from "../health/model-use.ts";
import { type ReadRequestDeps, readRequest } from "../read-request.ts";

export type EndedCallsDeps = ReadRequestDeps & {
  readonly assistantHealth: AssistantHealth;
  readonly directory: Pick<Directory, "assistantVersion">;
  readonly logger: Logger;
};

type Ended = Of<CallEvent, "CallCompleted" | "CallFailed">;

/**
 * Reports to the assistants' health how answered calls ended, in order. Costs nothing for owners
 * without a failed call.
 */
export function hearEndedCalls(deps: EndedCallsDeps): (owner: string, event: DomainEvent) => void {
  let last = Promise.resolve();
  return (owner, event) => {
    if (!isCallEnd(event)) return;
    if (event.data.durationSeconds === null) return;
    last = last
      .then(() => tell(deps, owner, event))
      .catch((error: unknown) => {
        deps.logger.warn({ callId: event.data.callId, error }, "not known whose assistant it was");
      });
  };
}

async function tell(deps: EndedCallsDeps, owner: string, { data }: Ended): Promise<void> {
  const failed = data.endReason === "assistant_error";
  if (!failed && !deps.assistantHealth.anyFailed(owner)) return;
  const use = await modelOfCall(deps, data.callId);
  if (use !== null) deps.assistantHealth.sawEnd(use, failed);
}

async function modelOfCall(deps: EndedCallsDeps, callId: CallId): Promise<ModelUse | null> {
  const request = await readRequest(deps, callId);
  return request === null ? null : modelUse(deps, request.owner, request.assistant);
}
