import type { Logger } from "../../application/ports/logger.ts";
import type { ToolRun, ToolRunner } from "../../application/ports/tool-runner.ts";
import type { ToolTester, ToolTrial } from "../../application/ports/tool-tester.ts";
import { type Fill, textOf } from "../../domain/tool/placeholders.ts";
import { type ApiRequestDeps, runApiRequest } from "./api-request.ts";
import { type DatabaseQueryDeps, runDatabaseQuery } from "./database-query.ts";
import { NO_EVIDENCE, refusedTrial, unanswered } from "./tool-trials.ts";

/** Timeout of a tool. */
export const TOOL_MILLIS = 8_000;

export type ToolRunnerDeps = ApiRequestDeps &
  DatabaseQueryDeps & { readonly logger: Logger; readonly millis: number };

export function createToolRunner(deps: ToolRunnerDeps): ToolRunner & ToolTester {
  const attempt = async (run: ToolRun): Promise<ToolTrial> => {
    try {
      return await carryOut(deps, run);
    } catch (error) {
      deps.logger.error({ tool: run.tool.toolId, error }, "a tool could not be run");
      const result = unanswered("failed", "The tool could not be run", NO_EVIDENCE);
      return { result, request: null, response: null };
    }
  };
  return { run: async (run) => (await attempt(run)).result, try: attempt };
}

function carryOut(deps: ToolRunnerDeps, run: ToolRun): Promise<ToolTrial> | ToolTrial {
  const until = performance.now() + deps.millis;
  const fill = fillOf(run);
  switch (run.tool.type) {
    case "API_REQUEST":
      return runApiRequest(deps, run, fill, until);
    case "DATABASE_QUERY":
      return runDatabaseQuery(deps, run, fill, until);
    default:
      return refusedTrial("The call itself carries this tool out");
  }
}

function fillOf({ arguments: given, variables }: ToolRun): Fill {
  return (name, kind) => {
    const values = kind === "argument" ? given : variables;
    return Object.hasOwn(values, name) ? textOf(values[name]) : undefined;
  };
}
