import type { PinnedTool, ToolRun } from "../../../application/ports/tool-runner.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import { addressPolicy, type ResolveName } from "../../../infrastructure/http/address-guard.ts";
import { resolveName } from "../../../infrastructure/http/resolve-name.ts";
import { createQueryThreads, type PostgresConnection } from "../../../infrastructure/tools/query-threads.ts";
import { createToolRunner, TOOL_MILLIS } from "../../../infrastructure/tools/tool-runner.ts";
import { silentLogger } from "../../../simulation/memory/silent.ts";

type World = {
  readonly secrets?: Readonly<Record<string, string>>;
  /** Fixed, or asked for at each use. */
  readonly connection?: PostgresConnection | null | (() => PostgresConnection);
  readonly cidrs?: readonly string[];
  readonly resolve?: ResolveName;
  readonly millis?: number;
  /** The authority of databases' certificates. */
  readonly ca?: string;
};

/** The tools of one process; `close` ends what it holds. */
export function toolWorld({
  secrets = {},
  connection = null,
  cidrs = ["127.0.0.0/8"],
  resolve = resolveName,
  millis = TOOL_MILLIS,
  ca,
}: World = {}) {
  const policy = addressPolicy(cidrs);
  const databases = createQueryThreads({ policy, resolve, ...(ca === undefined ? {} : { ca }) });
  const runner = createToolRunner({
    http: { policy, resolve, ca: undefined },
    secrets: async (_owner, names) =>
      new Map(names.flatMap((name) => (secrets[name] === undefined ? [] : [[name, secrets[name]]]))),
    databases,
    postgresConnection: async () => (typeof connection === "function" ? connection() : connection),
    logger: silentLogger,
    millis,
  });
  return { ...runner, close: databases.close };
}

export function toolOf(type: PinnedTool["type"], config: JsonObject): PinnedTool {
  return { toolId: "tool_1", name: "t", functionName: "t", type, description: "", config };
}

export function runOf(
  type: PinnedTool["type"],
  config: JsonObject,
  changes: Partial<Pick<ToolRun, "arguments" | "variables" | "signal">> = {},
): ToolRun {
  return {
    owner: "usr_1",
    tool: toolOf(type, config),
    toolCallId: "call_1-1",
    arguments: {},
    variables: {},
    signal: new AbortController().signal,
    ...changes,
  };
}
