import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { removeFolder } from "../../../simulation/drills/remove-folder.ts";
import { apiUser } from "../../api/support/api-user.ts";
import { loadDocument } from "../../api/support/document.ts";
import { processesOf } from "../../support/process-watch.ts";
import { built, openBrowser } from "./browser-world.ts";

const DEMO = join(import.meta.dirname, "../../../programs/demo/demo.ts");
const PATIENCE = 150_000;

let shared: string;
let demo: ChildProcess;
let out = "";
beforeAll(async () => {
  await built();
  shared = mkdtempSync(join(tmpdir(), "ringfold-demo-kept-"));
  chmodSync(shared, 0o755); // as root the database runs as another user, who has to get in
  demo = spawn(process.execPath, [DEMO, "--contacts", "12", "--keep"], {
    env: { PATH: process.env["PATH"], TMPDIR: shared, LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const output of [demo.stdout, demo.stderr])
    output?.on("data", (chunk) => {
      out += chunk;
    });
  const isOver = () => out.includes("Ctrl-C ends it") || demo.exitCode !== null;
  await eventually("the demo to be done", isOver, PATIENCE);
  expect(out).toContain("Ctrl-C ends it and removes this data.");
}, PATIENCE);
afterAll(async () => {
  if (demo.exitCode === null) demo.kill("SIGKILL");
  await removeFolder(shared);
});

/** What is printed behind these words, wherever its line was broken. */
function printed(words: string): string {
  const [, found = ""] = new RegExp(`${words.replaceAll(" ", "\\s+")}\\s+(\\S+)`).exec(out) ?? [];
  return found;
}

it(
  "npm run demo -- --keep: its links open what it made, with its keys, in a browser, until Ctrl-C",
  async () => {
    const reminders = new URL(printed("Look at it:"));
    const clinic = new URL(printed("brought home:"));
    const url = reminders.origin;
    const nobody = apiUser({ url, document: await loadDocument(), key: "" });
    const browser = await openBrowser({ url, operator: nobody });
    for (const [{ pathname }, key, people] of [
      [reminders, printed("Sign in with the key"), 12],
      [clinic, printed("Sign in there with the key"), 8],
    ] as const) {
      const { page, signIn, reaches, complaints, close } = await browser.visit(pathname, { key: "" });
      await signIn(key);
      await reaches("campaign");
      expect(new URL(page.url()).pathname).toBe(pathname);
      await page
        .locator("[data-contact]")
        .nth(people - 1)
        .waitFor();
      expect(await page.locator("[data-contact]").count()).toBe(people);
      expect(complaints).toEqual([]);
      await close();
    }
    await browser.close();
    demo.kill("SIGINT");
    expect(await once(demo, "exit")).toEqual([0, null]);
    await eventually("the end of every process", () => processesOf(shared).length === 0, 5_000);
    expect(readdirSync(shared)).toEqual([]);
  },
  PATIENCE,
);
