import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { OPERATIONS } from "../../client/operations.ts";
import manifest from "../../client/package.json" with { type: "json" };
import { removeFolder } from "../../simulation/drills/remove-folder.ts";
import { startTestService, type TestService } from "../api/support/service.ts";
import { PYTHON } from "../support/languages.ts";
import { type Cut, type CuttingProxy, startCuttingProxy } from "./cutting-proxy.ts";

const ROOT = join(import.meta.dirname, "../..");
const CREATE = "/api/v1/campaigns";
const EVENTS = "/api/v1/events";
const run = promisify(execFile);

/** The first answer to a create is cut in the middle; the first two streams are, after their second event. */
const cut: Cut = ({ method, path }, requests, answer) => {
  const times = requests.filter((each) => each.method === method && each.path === path).length;
  if (method === "POST" && path === CREATE && times === 1) return Math.floor(answer.length / 2);
  if (path !== EVENTS || times > 2) return null;
  const events = [...answer.toString().matchAll(/data: .*\n\n/g)];
  const second = events[1];
  return second === undefined ? null : second.index + Buffer.byteLength(second[0]);
};

/** Compiles, packs and installs four times, each by programs of others. */
const LONGEST_MILLIS = 480_000;

let project: string;
/** What `npm run release:client` said, which makes the tarball, and the packages for Python. */
let released = "";
let service: TestService;
let proxy: CuttingProxy;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "ringfold-outside-"));
  [service] = await Promise.all([startTestService(), makeProject()]);
  proxy = await startCuttingProxy(service.url, cut);
}, LONGEST_MILLIS);
afterAll(async () => {
  await proxy.stop();
  await service.stop();
  await removeFolder(project);
});

/** A project that has nothing but the package's tarball. */
async function makeProject(): Promise<void> {
  await cp(join(import.meta.dirname, "outside"), project, { recursive: true });
  await writeFile(join(project, "package.json"), '{ "private": true, "type": "module" }');
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    target: "es2022",
    module: "nodenext",
  };
  const typeRoots = [join(ROOT, "node_modules/@types")];
  await writeConfig("node", { ...options, lib: ["es2023"], types: ["node"], typeRoots }, "program.ts");
  await writeConfig("page", { ...options, lib: ["es2023", "dom"], types: [], noEmit: true }, "page.ts");
  const fromReadme = await writeExamples();
  await writeConfig(
    "readme",
    { ...options, lib: ["es2023"], types: ["node"], typeRoots, noEmit: true },
    ...fromReadme,
  );
  const npm = { env: { ...process.env, npm_config_cache: join(project, "npm-cache") } };
  if (PYTHON === null)
    await run("npm", ["pack", "--pack-destination", project], { ...npm, cwd: join(ROOT, "client") });
  else released = (await run("npm", ["run", "release:client", "--", project], { ...npm, cwd: ROOT })).stdout;
  const [tarball] = (await readdir(project)).filter((name) => name.endsWith(".tgz"));
  await run("npm", ["install", "--offline", `./${tarball}`], { ...npm, cwd: project });
}

const writeConfig = (name: string, compilerOptions: object, ...files: readonly string[]) =>
  writeFile(join(project, `tsconfig.${name}.json`), JSON.stringify({ compilerOptions, files }));

/** What the examples of the client's README take as given. */
const GIVEN = `declare const client: import("ringfold-client").Client;
declare const request: import("ringfold-client").OutboundCallRequest;
declare const phoneNumberId: string, assistantId: string, id: string, campaignId: string, callId: string;
declare const secret: string, lastPosition: string, order: { id: string };
declare function topUp(): Promise<void>;
declare function store(data: unknown): Promise<void>;
`;

/** Each example as a module of its own. */
async function writeExamples(): Promise<string[]> {
  const readme = await readFile(join(ROOT, "client/README.md"), "utf8");
  const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].flatMap(([, text]) => text ?? []);
  const files = ["given.d.ts", ...examples.map((_text, index) => `example-${index}.ts`)];
  const texts = [GIVEN, ...examples.map((text) => `${text}\nexport {};\n`)];
  await Promise.all(files.map((file, index) => writeFile(join(project, file), texts[index] ?? "")));
  return files;
}

const tsc = (name: string) =>
  run(join(ROOT, "node_modules/.bin/tsc"), ["-p", `tsconfig.${name}.json`], { cwd: project });

it.runIf(PYTHON !== null)("is released, with the packages for Python, each installed from its file", () => {
  const { version } = manifest;
  const said = released.split("\n").filter((line) => line.startsWith(project));
  expect(said).toEqual(
    [
      `ringfold-client-${version}.tgz`,
      `ringfold_client-${version}-py3-none-any.whl`,
      `ringfold_client-${version}.tar.gz`,
    ].map((name) => `${join(project, name)}: installed and loaded, ${OPERATIONS.length} operations`),
  );
});

it("installs from its tarball, with nothing else, and its types hold in Node and in a browser", async () => {
  expect(await readdir(join(project, "node_modules"))).toEqual([".package-lock.json", "ringfold-client"]);
  await tsc("node");
  await tsc("page");
});

it("has a README whose examples are right by their types", () => tsc("readme"));

it("runs against a service: creates, pages, follows, verifies and downloads, through a proxy that cuts answers", async () => {
  const env = {
    ...process.env,
    SERVICE_URL: service.url,
    PROXY_URL: proxy.url,
    API_KEY: service.operator.key,
  };
  const { stdout, stderr } = await run(process.execPath, ["program.js"], { cwd: project, env });
  expect(stderr).toBe("");
  const saw = JSON.parse(stdout);

  expect(saw.campaigns, "one campaign, though it was asked for twice").toEqual([
    { id: saw.created, name: "From outside" },
  ]);
  const creates = proxy.requests.filter(({ method }) => method === "POST");
  const keys = creates.map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
  expect(saw.rows).toEqual(Array.from({ length: 250 }, (_none, index) => `row ${index}`));

  const requestId = expect.stringMatching(/./);
  expect(saw.unknown).toMatchObject({ status: 404, code: "CAMPAIGN_NOT_FOUND", requestId, details: [] });
  expect(saw.invalid).toMatchObject({ status: 400, code: "VALIDATION_ERROR", requestId });
  expect(saw.invalid.details).toEqual([{ path: ["name"], message: expect.any(String) }]);
  expect(saw.plain).toMatchObject({ status: 400, code: null, requestId });
  expect(saw.plain.message).toBe("POST /api/v1/calls/outbound answered 400: Assistant not found");

  const streams = proxy.requests.filter(({ path }) => path === EVENTS);
  const resumed = streams.map(({ headers }) => headers["last-event-id"]);
  expect(resumed).toEqual([undefined, saw.listed[1], saw.listed[3]]);
  expect(saw.followed, "every event once, in order").toEqual(saw.listed.slice(0, saw.followed.length));

  expect(saw.webhook).toEqual({ event: "call.ended", ofThisCall: true });
  expect(saw.tampered).toEqual(["wrong_signature"]);
  expect(saw.csvLines).toBe(251);
  expect(saw.recording).toBe("RIFF");
});
