import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { environment } from "../../infrastructure/environment.ts";
import manifest from "../../package.json" with { type: "json" };
import { type Command, parsed, UsageError } from "../../programs/command-line.ts";
import { removeFolder } from "../../simulation/drills/remove-folder.ts";
import { runProgram } from "./run-program.ts";

/** What npm runs with our own code, but for the generator of the client. */
const PROGRAMS = Object.entries(manifest.scripts).flatMap(([name, script]) => {
  const file = /^node (?:--\S+ )*((?:programs|bench)\/\S+)$/.exec(script)?.[1];
  return file === undefined ? [] : [{ name, file: join("..", file) }];
});

it("looks at every program", () => {
  expect(PROGRAMS.map(({ name }) => name).sort()).toEqual(
    [
      "api-key",
      "bench",
      "carrier",
      "demo",
      "drill",
      "mcp",
      "phone",
      "rebuild",
      "rehearse",
      "replay",
      "simulate",
      "start",
      "webhook:verify",
    ].sort(),
  );
});

describe.each(PROGRAMS)("$name", ({ name, file }) => {
  const npm = name === "start" ? "npm start" : `npm run ${name}`;

  it("explains itself, also where the environment is wrong", async () => {
    const { code, stdout, stderr } = await runProgram(file, ["--help"], { PORT: "high" });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.startsWith(`Usage: ${npm}`)).toBe(true);
    expect(stdout).toMatch(/\nOptions:\n[\s\S]*--help[\s\S]*\nExit codes:\n {2}0 /);
    expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
  }, 60_000);

  it("refuses an unknown option with its usage, and starts nothing", async () => {
    const folder = await mkdtemp(join(tmpdir(), "ringfold-usage-"));
    const env = { DATA_DIR: join(folder, "data"), SIMULATOR_DATA_DIR: join(folder, "data"), PORT: "high" };
    const { code, stdout, stderr } = await runProgram(file, ["--nonsense"], env);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.trimEnd().split("\n")).toEqual([
      "Unknown option '--nonsense'",
      expect.stringMatching(new RegExp(`^Usage: ${npm}`)),
    ]);
    expect(await readdir(folder)).toEqual([]);
    await removeFolder(folder);
  }, 60_000);
});

it("npm start tells every variable of the configuration", async () => {
  const { stdout } = await runProgram("start.ts", ["--help"], {});
  const told = [...stdout.matchAll(/^ {2}([A-Z][A-Z_]+) /gm)].map(([, name]) => name);
  expect(told).toEqual(environment.keyof().options.filter((name) => name !== "CRASH_AT"));
});

describe("a command line", () => {
  const command = {
    usage: "npm run some",
    about: "",
    options: { count: { type: "string", about: "" } },
    environment: [],
    exitCodes: {},
  } as const satisfies Command;

  it("is read", () => expect(parsed(command, ["--count", "3"]).values.count).toBe("3"));

  it.each([
    [["--count"], "Option '--count <value>' argument missing"],
    [["more"], "Unexpected argument 'more'"],
    [["--cuont", "3"], "Unknown option '--cuont'"],
  ])("%j is refused in one line, and the usage", (args, mistake) => {
    const read = () => parsed(command, args);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(expect.objectContaining({ lines: [mistake, "Usage: npm run some"] }));
  });
});
