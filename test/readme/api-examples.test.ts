import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../infrastructure/postgres/embedded/free-port.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { startTestService, type TestService } from "../api/support/service.ts";

const readme = await readFile(join(import.meta.dirname, "../../README.md"), "utf8");
const page = await readFile(join(import.meta.dirname, "../../docs/api-by-example.md"), "utf8");

/**
 * A block of commands, and what the last of them answers, or lines that stand in their output
 * one behind the other.
 */
type Example = {
  readonly title: string;
  readonly commands: string;
  readonly answer: unknown;
  readonly lines: readonly string[];
};

const examples: readonly Example[] = [
  ...page.matchAll(/```sh\n([\s\S]*?)```(?:\n```json\n([\s\S]*?)```)?(?:\n```text\n([\s\S]*?)```)?/g),
].map(([, commands = "", answer, text = ""], index) => ({
  title: commands.split("\n")[0]?.slice(0, 60) ?? String(index),
  commands,
  answer: answer === undefined ? null : JSON.parse(answer),
  lines: text.split("\n").filter((line) => line !== ""),
}));

describe("docs/api-by-example.md", () => {
  let service: TestService;
  let receiverPort: number;
  let folder: string;
  let shell: ChildProcess;
  const told: string[] = [];
  beforeAll(async () => {
    service = await startTestService();
    // In place of the receiver's own, which another program may have.
    receiverPort = await freePort();
    folder = await mkdtemp(join(tmpdir(), "ringfold-examples-"));
    shell = spawn("bash", ["-uo", "pipefail"], {
      cwd: folder,
      stdio: ["pipe", "pipe", "inherit"],
      env: {
        PATH: process.env["PATH"] ?? "",
        URL: service.url,
        KEY: service.operator.key,
      },
    });
    createInterface({ input: shell.stdout ?? process.stdin }).on("line", (line) => told.push(line));
  });
  afterAll(async () => {
    shell.stdin?.end("kill $(jobs -p) 2> /dev/null; exit\n");
    await once(shell, "exit");
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("has an example for each resource", () => {
    expect(examples.length).toBeGreaterThan(20);
    const resources = new Set([...page.matchAll(/\$URL\/(?:api\/v1\/)?([a-z-]+)/g)].map(([, name]) => name));
    expect([...resources]).toEqual(expect.arrayContaining(RESOURCES));
  });

  it.each(examples)("runs: $title", async ({ commands, answer, lines }) => {
    const { output, problems } = await run(commands.replaceAll("8080", String(receiverPort)));
    expect(problems, output).toBe("0");
    if (answer !== null) expect(JSON.parse(lastAnswer(output))).toMatchObject(withAnything(answer));
    expect(output).toMatch(new RegExp(lines.map(patternOf).join("[^]*")));
  });

  it("tells how the service is started so that it reaches a receiver here", () => {
    expect(readme).toContain("```sh\nWEBHOOK_ALLOW_CIDRS=127.0.0.0/8 npm start\n```");
  });

  /**
   * In the one shell, so that what an example remembers is there in the next; counts the
   * commands that failed.
   */
  async function run(commands: string): Promise<{ readonly output: string; readonly problems: string }> {
    const end = `=== end of example ${told.length}`;
    const from = told.length;
    shell.stdin?.write(
      `failed=0; trap 'failed=$((failed+1))' ERR\n${commands}\necho; echo "${end} $failed"\n`,
    );
    const last = await eventually("the end of the example", () => told.find((line) => line.startsWith(end)));
    return { output: told.slice(from, told.indexOf(last)).join("\n"), problems: last.slice(end.length + 1) };
  }
});

const RESOURCES = [
  "assistants",
  "phone-numbers",
  "calls",
  "campaigns",
  "squads",
  "tools",
  "secrets",
  "suppressions",
  "policy",
  "webhook",
  "events",
  "account",
  "limits",
  "api-keys",
  "users",
  "health",
];

/** Answers stand one behind the other, without anything between. */
function lastAnswer(output: string): string {
  return output.slice(output.lastIndexOf('{"success":')).trim();
}

/** `…` stands for anything. */
function patternOf(line: string): string {
  return line.split("…").map(RegExp.escape).join(".*");
}

/** `…` stands for any value, and an array may be longer than it is shown. */
function withAnything(shown: unknown): object {
  const text = (value: unknown): unknown => {
    if (value === "…") return expect.anything();
    if (Array.isArray(value)) return value.length === 0 ? [] : expect.arrayContaining(value.map(text));
    if (typeof value !== "object" || value === null) return value;
    return expect.objectContaining(
      Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, text(inner)])),
    );
  };
  const entries = typeof shown === "object" && shown !== null ? Object.entries(shown) : [];
  return Object.fromEntries(entries.map(([name, value]) => [name, text(value)]));
}
