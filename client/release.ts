import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";

const CLIENT = import.meta.dirname;
const PYTHON = join(CLIENT, "python");

/**
 * `npm run release:client [-- <folder>]` puts the packages of both clients into a folder (client/release
 * unless it is named), where a release takes them from. Each of them is installed from its file, in an empty
 * folder and without a registry, and loaded there.
 */
async function release(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  run("npm", ["pack", "--silent", "--pack-destination", folder], CLIENT);
  const build =
    "import build_backend, sys; build_backend.build_wheel(sys.argv[1]); build_backend.build_sdist(sys.argv[1])";
  run("python3", ["-B", "-c", build, folder], PYTHON);
  const packages = (await readdir(folder)).filter((name) => /^ringfold[-_]client-/.test(name));
  const workplace = await mkdtemp(join(tmpdir(), "ringfold-release-"));
  try {
    run("python3", ["-m", "venv", join(workplace, "venv")], workplace);
    for (const name of packages) {
      const empty = await mkdtemp(join(workplace, "empty-"));
      const said = name.endsWith(".tgz")
        ? await checkedInNode(join(folder, name), empty)
        : checkedInPython(join(folder, name), empty, join(workplace, "venv/bin/python"));
      process.stdout.write(`${join(folder, name)}: installed and loaded, ${said.trim()} operations\n`);
    }
  } finally {
    await rm(workplace, { recursive: true, force: true });
  }
}

async function checkedInNode(file: string, empty: string): Promise<string> {
  await writeFile(join(empty, "package.json"), '{ "private": true, "type": "module" }');
  run("npm", ["install", "--offline", "--silent", "--cache", join(empty, "cache"), file], empty);
  const count = `import { createClient } from "ringfold-client";
const client = createClient({ baseUrl: "http://127.0.0.1:1", apiKey: "" });
console.log(Object.values(client).flatMap((group) => Object.keys(group)).length);`;
  return run(process.execPath, ["--input-type=module", "--eval", count], empty);
}

function checkedInPython(file: string, empty: string, python: string): string {
  const options = ["--no-index", "--no-cache-dir", "--quiet", "--target", empty];
  run(python, ["-m", "pip", "install", ...options, file], empty);
  const count = `import inspect, ringfold_client
client = ringfold_client.Client("http://127.0.0.1:1", "")
groups = [group for name, group in vars(client).items() if not name.startswith("_")]
print(sum(not name.startswith("_") for group in groups for name, _ in inspect.getmembers(group, inspect.ismethod)))`;
  return run(python, ["-c", count], empty);
}

/** What it prints; what it complains of is shown, and ends the release. */
function run(program: string, args: readonly string[], cwd: string): string {
  return execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

if (import.meta.main) {
  try {
    await release(resolve(process.argv[2] ?? join(CLIENT, "release")));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.stderr.write("It needs npm, and python3 (3.10 or newer) with venv.\n");
    process.exitCode = 1;
  }
}
