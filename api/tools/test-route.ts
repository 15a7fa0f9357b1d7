import { functionNames } from "../../application/call/pinning/function-names.ts";
import type { PinnedTool } from "../../application/ports/tool-runner.ts";
import { jsonObject } from "../../contract/fields.ts";
import type { ToolRecord } from "../../contract/tool.ts";
import { toolTestRoutes } from "../../contract/tool-test.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import { checkArguments } from "../../domain/tool/tool-arguments.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import { concurrencyOf } from "../concurrency.ts";
import type { ApiDeps } from "../deps.ts";
import { validationError } from "../errors.ts";
import { found, pathId } from "../ids.ts";
import { of } from "../route.ts";

const MOST_AT_ONCE = 4;

/** docs/tools.md, "Trying a tool". */
export function registerToolTest(api: Api, { configuration, toolTester, ids, clock }: ApiDeps): void {
  const enter = concurrencyOf(MOST_AT_ONCE, "tool tests of this owner");
  api.route({
    ...of(toolTestRoutes.testTool),
    handler: async (request) => {
      const { owner } = callerOf(request);
      const id = pathId("tool", request.params.toolId);
      const tool = found("tool", await configuration.tools.get(owner, id));
      const given = requireArguments(tool, jsonObject(request.body.arguments));
      const leave = enter(owner);
      try {
        const {
          result,
          request: sent,
          response,
        } = await toolTester.try({
          owner,
          tool: asPinned(tool),
          toolCallId: `test-${ids.uuid()}`,
          arguments: given,
          variables: { now: clock.now(), timezone: "UTC", ...jsonObject(request.body.variables) },
          signal: new AbortController().signal,
        });
        const { outcome, shown, evidence } = result;
        return data({ outcome, request: sent, response, shown, millis: evidence.millis ?? 0 });
      } finally {
        leave();
      }
    },
  });
}

function requireArguments(tool: ToolRecord, given: JsonObject): JsonObject {
  const checked = checkArguments(tool, given);
  if (checked.ok) return checked.value;
  const path = checked.name === null ? ["arguments"] : ["arguments", checked.name];
  throw validationError("The request body", [{ path, message: checked.reason }]);
}

/** A test has no assistant, so the function name is the tool's own. */
function asPinned({ id, name, type, description, config }: ToolRecord): PinnedTool {
  const [functionName = name] = functionNames([name]);
  return { toolId: id, name, functionName, type, description, config };
}
