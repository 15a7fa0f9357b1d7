import type { ToolResult } from "../../application/ports/tool-runner.ts";
import type { ToolTrial } from "../../application/ports/tool-tester.ts";
import type { ToolEvidence } from "../../domain/call/conversation-events.ts";

export const NO_EVIDENCE: ToolEvidence = {
  status: null,
  millis: null,
  bytes: null,
  sha256: null,
  host: null,
  rows: null,
};

/** Nothing was sent, and why. */
export function refusedTrial(shown: string, request: ToolTrial["request"] = null): ToolTrial {
  return { result: unanswered("refused", shown, NO_EVIDENCE), request, response: null };
}

export function unanswered(
  outcome: "failed" | "timed_out" | "refused",
  shown: string,
  evidence: ToolEvidence,
): ToolResult {
  return { outcome, shown, isError: true, evidence };
}
