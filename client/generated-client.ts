import { generateApi } from "swagger-typescript-api";
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
  });
  const [file] = files;
  if (file === undefined) throw new Error("The generator made no client");
  return HEADER + file.fileContent.replaceAll("keyof Body", '"json" | "text" | "blob" | "arrayBuffer"');
}
