import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../api/support/service.ts";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/rehearsal.md"), "utf8");

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

it("the example of docs/rehearsal.md plays as the page says", async () => {
  const [, commands = "", told = ""] =
    /```sh\n(ASSISTANT=[\s\S]*?)```\n```text\n([\s\S]*?)```/.exec(page) ?? [];
  const { PATH = "" } = process.env;
  const env = { PATH, URL: service.url, KEY: service.operator.key };
  const ran = await new Promise<{ code: number | string; stdout: string }>((resolve) =>
    execFile("bash", ["-euo", "pipefail", "-c", commands], { cwd: ROOT, env }, (error, stdout) =>
      resolve({ code: error?.code ?? 0, stdout }),
    ),
  );
  expect(ran).toEqual({ code: 0, stdout: expect.stringMatching(patternOf(told)) });
});

/** `…` stands for anything. */
const patternOf = (text: string) => new RegExp(`^${text.split("…").map(RegExp.escape).join("\\S+")}$`);
