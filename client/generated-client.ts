import { generateApi, type ParsedRoute } from "swagger-typescript-api";
import { buildServer } from "../api/server.ts";
import { throwingDeps } from "../test/api/support/inert-deps.ts";
import { type Document, keyedPosts, withWebhookEvent } from "./document.ts";

/**
 * The generator's code is not written for the strictest flags; what it exports is checked where it is used.
 */
const HEADER =
  "// Generated from /openapi.json by `npm run client:generate`; never edited.\n// @ts-nocheck\n\n";

/**
 * The text of client/generated/ringfold-api.ts, made from the service's own OpenAPI document.
 * `npm run client:generate` writes it.
 */
export async function generatedClient(): Promise<string> {
  const api = buildServer(throwingDeps(() => new Error("no work while the document is made")));
  const answer = await api.inject({ url: "/openapi.json" });
  await api.close();
  return clientOf(answer.json());
}

export async function clientOf(document: Document): Promise<string> {
  const { files } = await generateApi({
    spec: JSON.parse(JSON.stringify(withWebhookEvent(document))),
    output: false,
    silent: true,
    generateClient: true,
    httpClientType: "fetch",
    generateUnionEnums: true,
    singleHttpClient: true,
    moduleNameFirstTag: true,
    hooks: { onCreateRoute: (route) => withEncodedPath(withEverySuccess(route)) },
  });
  const [file] = files;
  if (file === undefined) throw new Error("The generator made no client");
  const api = file.fileContent.replace(RESPONSE_FORMATS, '"json" | "text" | "blob" | "arrayBuffer"');
  return `${HEADER}${api}${keyedPostsText(keyedPosts(document))}`;
}

/** How the generated client names what a body can be read as. The type `Body` is known in browsers only. */
const RESPONSE_FORMATS = 'keyof Omit<Body, "body" | "bodyUsed">';

/** An id is one segment of the path, whatever characters it has. */
function withEncodedPath({ request, ...route }: ParsedRoute): ParsedRoute {
  const { path = "" } = request;
  const encoded = path.replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => `\${encodeURIComponent(${name})}`);
  return { ...route, request: { ...request, path: encoded } };
}

/**
 * Where an operation has two successes (the import: a report, or a campaign), its method answers either; the
 * generator takes the first. A file is answered as the stream that it comes in.
 */
function withEverySuccess(route: ParsedRoute): ParsedRoute {
  const responses: readonly Response[] = route.responseBodyInfo?.responses ?? [];
  const successes = responses.filter(({ isSuccess }) => isSuccess);
  const types = new Set(successes.map((success) => (isFile(success) ? FILE : success.type)));
  if (types.size === 0) return route;
  return { ...route, response: { ...route.response, type: [...types].join(" | ") } };
}

const FILE = "ReadableStream<Uint8Array>";

type Response = {
  readonly isSuccess: boolean;
  readonly type: string;
  readonly contentTypes: readonly string[];
};

/** The feed of events may be asked for as JSON or as a stream: its method asks for JSON. */
function isFile({ contentTypes }: Response): boolean {
  return contentTypes.length > 0 && !contentTypes.includes("application/json");
}

function keyedPostsText(paths: readonly string[]): string {
  const lines = paths.map((path) => `  ${JSON.stringify(path)},\n`).join("");
  return `\n/** Paths whose POST takes an Idempotency-Key. */\nexport const KEYED_POSTS: readonly string[] = [\n${lines}];\n`;
}
