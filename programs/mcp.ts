import process from "node:process";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { sender } from "../client/requests.ts";
import manifest from "../package.json" with { type: "json" };
import { type Command, readCommandLine } from "./command-line.ts";
import { problemOf, type Tool, toolsOf } from "./mcp/tools.ts";
import { runProgram, untilStopped } from "./process-exit.ts";

const MCP = {
  usage: "npm run mcp --silent [-- --write]",
  about:
    "Gives an assistant of your choice the campaigns and calls of a Ringfold service as tools: a server of the Model Context Protocol on standard input and output. It only reads unless --write is given, and can do no more than its key.",
  options: {
    write: {
      type: "boolean",
      about:
        "also tools that start, pause and resume campaigns, call somebody, and put numbers on the do-not-call list",
    },
  },
  environment: [
    ["RINGFOLD_API_KEY", "an API key of the service"],
    ["RINGFOLD_URL", "where the service is (default http://127.0.0.1:3000)"],
  ],
  exitCodes: { 0: "whoever asked has gone", 1: "it cannot ask the service; the line says why" },
  goesOn: true,
} as const satisfies Command;

const LONGEST_MILLIS = 60_000;

const INSTRUCTIONS =
  "Ringfold calls people by telephone, one by one or in campaigns. Times are UTC. A list comes in pages: its nextCursor, given as cursor, goes on. Ids come from lists and from search.";

async function main(stop: AbortSignal): Promise<number> {
  const given = await readCommandLine(MCP);
  if (given === null) return 0;
  const { apiKey, baseUrl } = readEnvironment();
  const send = sender({ baseUrl, apiKey });
  const tools = toolsOf(given.values.write === true);
  const server = new Server(
    { name: "ringfold", version: manifest.version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listed) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const ends = AbortSignal.any([signal, stop, AbortSignal.timeout(LONGEST_MILLIS)]);
    const text = (said: string) => [{ type: "text" as const, text: said.replaceAll(apiKey, "[API key]") }];
    try {
      const tool = tools.find(({ name }) => name === params.name);
      if (tool === undefined) throw new Error(`There is no tool ${params.name}`);
      return { content: text(await tool.call(send, params.arguments ?? {}, ends)) };
    } catch (error) {
      return { isError: true, content: text(problemOf(error)) };
    }
  });
  const gone = new Promise<void>((resolve) => process.stdin.once("end", resolve).once("close", resolve));
  await server.connect(new StdioServerTransport());
  await Promise.race([gone, untilStopped(stop)]);
  await server.close();
  return 0;
}

const listed = ({ call: _call, ...tool }: Tool) => tool;

function readEnvironment(): { readonly apiKey: string; readonly baseUrl: string } {
  const apiKey = process.env["RINGFOLD_API_KEY"] ?? "";
  const baseUrl = process.env["RINGFOLD_URL"] ?? "http://127.0.0.1:3000";
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new Error("RINGFOLD_API_KEY has no API key: npm run api-key, or the dashboard, makes one.");
  if (!/^https?:\/\/./.test(baseUrl) || !URL.canParse(baseUrl))
    throw new Error("RINGFOLD_URL is no address: it begins with http:// or https://.");
  return { apiKey, baseUrl };
}

runProgram(main, { goesOn: true });
