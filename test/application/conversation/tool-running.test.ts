import { setImmediate as everythingRan } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createToolRunning } from "../../../application/conversation/tool-running.ts";
import type { ToolResult, ToolRun } from "../../../application/ports/tool-runner.ts";
import type { Input } from "../../../domain/conversation/inputs.ts";
import { noEvidence } from "../../../domain/conversation/tool-words.ts";
import { ANSWERED } from "../../support/conversation/conversation-world.ts";
import { keptLines } from "./kept-lines.ts";

const tool = {
  toolId: "tool_1",
  name: "Book",
  functionName: "book",
  type: "API_REQUEST",
  description: "books",
  config: { method: "POST" },
} as const;
const effect = {
  type: "run_tool",
  toolCallId: "call_1-1",
  tool,
  arguments: { day: "Friday" },
  variables: { caller_number: "+14155550101" },
} as const;

function running(run: (given: ToolRun) => Promise<ToolResult>) {
  const told: Input[] = [];
  const runs: ToolRun[] = [];
  const logger = keptLines();
  const tools = {
    run: (given: ToolRun) => {
      runs.push(given);
      return run(given);
    },
  };
  const call = { owner: "usr_1", callId: "call_1" } as const;
  return {
    ...createToolRunning({ tools, logger }, call, (input) => void told.push(input)),
    told,
    runs,
    logger,
  };
}

describe("a tool that runs", () => {
  it("is the owner's, under the name of its call, with what the model gave and the engine knows; its result is told", async () => {
    const { run, told, runs } = running(async () => ANSWERED);
    run(effect);
    await everythingRan();
    const { type: _type, ...given } = effect;
    expect(runs).toMatchObject([{ owner: "usr_1", ...given }]);
    expect(told).toEqual([{ type: "tool_ended", toolCallId: "call_1-1", answer: ANSWERED }]);
  });

  it("and throws has failed: the model is told, without a word of the fault", async () => {
    const { run, told, logger } = running(() => Promise.reject(new Error("password=secret")));
    run(effect);
    await everythingRan();
    const answer = { outcome: "failed", shown: "The tool failed.", isError: true, evidence: noEvidence };
    expect(told).toEqual([{ type: "tool_ended", toolCallId: "call_1-1", answer }]);
    expect(logger.lines).toEqual([
      {
        level: "error",
        message: "a tool broke its promise never to throw",
        fields: { callId: "call_1", toolCallId: "call_1-1", error: expect.any(Error) },
      },
    ]);
  });

  it("can be given up, it alone; what has ended or never began cannot", async () => {
    const { run, abort, runs } = running(({ toolCallId }) =>
      toolCallId === "call_1-1" ? Promise.resolve(ANSWERED) : new Promise(() => undefined),
    );
    for (const toolCallId of ["call_1-1", "call_1-2", "call_1-3"]) run({ ...effect, toolCallId });
    await everythingRan();
    for (const toolCallId of ["call_1-1", "call_1-2", "call_1-9"]) abort(toolCallId);
    expect(runs.map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
  });
});
