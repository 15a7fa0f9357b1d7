import type { ToolCallId } from "../../domain/call/conversation-events.ts";
import type { Effect } from "../../domain/conversation/effects.ts";
import type { Input } from "../../domain/conversation/inputs.ts";
import { noEvidence } from "../../domain/conversation/tool-words.ts";
import type { Of } from "../../domain/shared/decider.ts";
import type { CallId, OwnerId } from "../../domain/shared/ids.ts";
import type { ConversationDeps } from "./conversation-deps.ts";

export type ToolRunning = {
  /** Passes the result on as an input. */
  readonly run: (effect: Of<Effect, "run_tool">) => void;
  readonly abort: (toolCallId: ToolCallId) => void;
};

/** Runs the tools of one call, each once. */
export function createToolRunning(
  { tools, logger }: Pick<ConversationDeps, "tools" | "logger">,
  { owner, callId }: { readonly owner: OwnerId; readonly callId: CallId },
  tell: (input: Input) => void,
): ToolRunning {
  const running = new Map<ToolCallId, AbortController>();
  return {
    run: ({ toolCallId, tool, arguments: given, variables }) => {
      const stop = new AbortController();
      running.set(toolCallId, stop);
      tools
        .run({ owner, tool, toolCallId, arguments: given, variables, signal: stop.signal })
        .catch((error: unknown) => {
          logger.error({ callId, toolCallId, error }, "a tool broke its promise never to throw");
          const shown = "The tool failed.";
          return { outcome: "failed", shown, isError: true, evidence: noEvidence } as const;
        })
        .then((answer) => {
          running.delete(toolCallId);
          tell({ type: "tool_ended", toolCallId, answer });
        });
    },
    abort: (toolCallId) => running.get(toolCallId)?.abort(),
  };
}
