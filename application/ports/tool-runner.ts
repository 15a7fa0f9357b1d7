import type { ToolCallId, ToolCallOutcome, ToolEvidence } from "../../domain/call/conversation-events.ts";
import type { OwnerId, ToolId } from "../../domain/shared/ids.ts";
import type { JsonObject, JsonValue } from "../../domain/shared/json.ts";
import type { ToolType } from "../../domain/tool/tool-config.ts";

/** A tool as it was when the call was made; it names secrets and connections, which are read when it runs. */
export type PinnedTool = {
  readonly toolId: ToolId;
  readonly name: string;
  /** Its name for the model: `[a-z0-9_]{1,64}`, unique within the assistant. */
  readonly functionName: string;
  readonly type: ToolType;
  readonly description: string;
  readonly config: JsonObject;
};

/**
 * Values of the engine by name (caller_number, own_number, call_id, campaign_id, now, timezone, contact
 * fields, handoff variables).
 */
export type RuntimeVariables = Readonly<Record<string, JsonValue>>;

export type ToolRun = {
  readonly owner: OwnerId;
  readonly tool: PinnedTool;
  /** Sent as Idempotency-Key. */
  readonly toolCallId: ToolCallId;
  /** Already checked against `argumentsSchema`. */
  readonly arguments: JsonObject;
  readonly variables: RuntimeVariables;
  readonly signal: AbortSignal;
};

export type ToolResult = {
  /** refused: nothing was sent. */
  readonly outcome: Exclude<ToolCallOutcome, "unknown">;
  /** For the model, at most 4 KiB of UTF-8; secrets redacted. */
  readonly shown: string;
  readonly isError: boolean;
  readonly evidence: ToolEvidence;
};

/** Runs API_REQUEST and DATABASE_QUERY once, without retries. Ends within 8 s. Never throws. */
export interface ToolRunner {
  run(run: ToolRun): Promise<ToolResult>;
}
