import { generateApi, type ParsedRoute } from "swagger-typescript-api";
import { buildServer } from "../api/server.ts";
import { throwingDeps } from "../test/api/support/inert-deps.ts";

/** The generator's code is not written for the strictest flags; what it exports is checked where it is used. */
const HEADER =
  "// Generated from /openapi.json by `npm run client:generate`; never edited.\n// @ts-nocheck\n\n";

/** The text of client/generated/ringfold-api.ts, made from the service's own OpenAPI document. `npm run client:generate` writes it. */
export async function generatedClient(): Promise<string> {
  const api = buildServer(throwingDeps(() => new Error("no work while the document is made")));
  const document = await api.inject({ url: "/openapi.json" });
  await api.close();
  const { files } = await generateApi({
    spec: document.json(),
    output: false,
    silent: true,
    generateClient: true,
    httpClientType: "fetch",
    generateUnionEnums: true,
    singleHttpClient: true,
    moduleNameFirstTag: true,
    hooks: { onCreateRoute: withEverySuccess },
  });
  const [file] = files;
  if (file === undefined) throw new Error("The generator made no client");
  return HEADER + file.fileContent.replaceAll("keyof Body", '"json" | "text" | "blob" | "arrayBuffer"');
}

/** Where an operation has two successes (the import: a report, or a campaign), its method answers either; the generator takes the first. */
function withEverySuccess(route: ParsedRoute): ParsedRoute {
  const responses: readonly Success[] = route.responseBodyInfo?.responses ?? [];
  const types = new Set(responses.filter(({ isSuccess }) => isSuccess).map(({ type }) => type));
  if (types.size < 2) return route;
  return { ...route, response: { ...route.response, type: [...types].join(" | ") } };
}

type Success = { readonly isSuccess: boolean; readonly type: string };
