import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../simulation/drills/eventually.ts";
import { removeFolder } from "../../simulation/drills/remove-folder.ts";
import { processesOf } from "../support/process-watch.ts";

const DEMO = join(import.meta.dirname, "../../programs/demo/demo.ts");
const PATIENCE = 150_000;

/** The temporary folder of the machine, as the demos of one test see it. */
let shared: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  shared = mkdtempSync(join(tmpdir(), "ringfold-demos-"));
  chmodSync(shared, 0o755); // as root the database runs as another user, who has to get in
});
afterEach(async () => {
  for (const child of children.splice(0))
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  await removeFolder(shared);
});

type Demo = {
  readonly child: ChildProcess;
  readonly out: () => string;
  readonly exit: Promise<number | null>;
};

function started(command: string, args: readonly string[]): Demo {
  const child = spawn(command, args, {
    env: { PATH: process.env["PATH"], TERM: "xterm", TMPDIR: shared, LOG_LEVEL: "error" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  children.push(child);
  let out = "";
  for (const output of [child.stdout, child.stderr])
    output.on("data", (chunk) => {
      out += chunk;
    });
  const exit = once(child, "exit").then(([code]) => (typeof code === "number" ? code : null));
  return { child, out: () => out, exit };
}

const demo = (contacts: number) => started(process.execPath, [DEMO, "--contacts", String(contacts)]);
/** Waits for it; fails with all that it said when it ends before. */
const says = async (one: Demo, text: RegExp) => {
  const said = () => text.test(one.out());
  await eventually(`the demo to say ${text}`, () => said() || one.child.exitCode !== null, PATIENCE);
  expect(one.out()).toMatch(text);
};

async function nothingIsLeft(): Promise<void> {
  await eventually("the end of every process", () => processesOf(shared).length === 0, 5_000);
  expect(readdirSync(shared)).toEqual([]);
}

const CALLING = /Calling\./;
const REPORT = /\n {2}ok {2}/;

describe("npm run demo, told to stop", () => {
  it.each([
    ["as it begins", /Starting/],
    ["while it calls", CALLING],
    ["at its report", REPORT],
  ])(
    "%s, says so and leaves no process and no file behind",
    async (_moment, text) => {
      const one = demo(15);
      await says(one, text);
      one.child.kill("SIGINT");
      const code = await one.exit;
      // The report is its last word: it may be through.
      expect(text === REPORT ? [130, 0] : [130]).toContain(code);
      if (code !== 0) expect(one.out()).toContain("Stopping the service");
      await nothingIsLeft();
    },
    PATIENCE,
  );

  it(
    "twice, ends at once and leaves nothing either",
    async () => {
      const one = demo(15);
      await says(one, CALLING);
      process.kill(serviceOf(shared), "SIGSTOP"); // it does not stop by itself
      one.child.kill("SIGINT");
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      one.child.kill("SIGINT");
      expect(await one.exit).toBe(130);
      await nothingIsLeft();
    },
    PATIENCE,
  );

  it(
    "by a reader that takes three lines and goes, leaves nothing",
    async () => {
      const one = demo(15);
      await says(one, CALLING);
      one.child.stdout?.destroy();
      expect(await one.exit).toBe(0);
      await nothingIsLeft();
    },
    PATIENCE,
  );

  it(
    "by Ctrl-C on a terminal, gives cursor and line wrapping back",
    async () => {
      const one = started("script", [
        "-qec",
        `${process.execPath} ${DEMO} --contacts 15`,
        join(shared, "typescript"),
      ]);
      await says(one, /on the phone/);
      expect(one.out()).toContain("\u001b[?25l");
      one.child.stdin?.write("\u0003");
      await one.exit;
      const { length } = one.out();
      for (const [off, on] of [
        ["\u001b[?25l", "\u001b[?25h"],
        ["\u001b[?7l", "\u001b[?7h"],
      ] as const)
        expect(one.out().lastIndexOf(on), `${on} of ${length}`).toBeGreaterThan(one.out().lastIndexOf(off));
      await eventually("the end of every process", () => processesOf(shared).length === 0, 5_000);
      expect(readdirSync(shared)).toEqual(["typescript"]);
    },
    PATIENCE,
  );
});

it(
  "npm run demo -- --keep serves what it made with the dashboard until Ctrl-C, then removes it",
  async () => {
    const one = started(process.execPath, [DEMO, "--contacts", "12", "--keep"]);
    await says(one, /Ctrl-C ends it and removes this data/);
    const [, url = ""] = /Look at it: (\S+)\/campaigns\/cmp_/.exec(one.out()) ?? [];
    const [, key = ""] = /Sign in with the key (\S+)/.exec(one.out()) ?? [];
    const headers = { Authorization: `Bearer ${key}` };
    const listed = await (await fetch(`${url}/api/v1/campaigns`, { headers })).json();
    expect(listed).toMatchObject({ data: [{ status: "COMPLETED" }] });
    const page = await fetch(url, { headers: { Accept: "text/html" } });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<html")]);
    one.child.kill("SIGINT");
    expect(await one.exit).toBe(0);
    await nothingIsLeft();
  },
  PATIENCE,
);

it(
  "two demos run at once in one temporary folder, whatever becomes of one of them, within 80 columns",
  async () => {
    const [one, other] = [demo(12), demo(30)];
    await says(other, CALLING);
    expect(readdirSync(shared).filter((name) => name.startsWith("ringfold-demo"))).not.toContain(
      "ringfold-demo.log",
    );
    other.child.kill("SIGTERM");
    expect(await other.exit).toBe(143);
    expect(await one.exit).toBe(0);
    expect(one.out()).toContain("Every number agrees.");
    expect(
      one
        .out()
        .split("\n")
        .filter((line) => line.length > 80),
    ).toEqual([]);
    await nothingIsLeft();
  },
  PATIENCE,
);

function serviceOf(folder: string): number {
  const found = processesOf(folder).find((line) => line.includes("programs/start."));
  return Number.parseInt(found ?? "", 10);
}
