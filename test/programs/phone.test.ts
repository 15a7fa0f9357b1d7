import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { afterEach, expect, it } from "vitest";
import { startTestService, type TestService } from "../api/support/service.ts";

const FILE = join(import.meta.dirname, "../../programs/phone.ts");
const LINE = "LLM_BASE_URL=https://…/v1 LLM_API_KEY=… LLM_MODEL=… npm start";
const REAL = { LLM_BASE_URL: "http://127.0.0.1:9/v1", LLM_API_KEY: "sk-1", LLM_MODEL: "big-1" };

let service: TestService | undefined;
afterEach(() => service?.stop());

/** What `npm run phone` writes until it has said who speaks. */
async function written({ url, operator }: TestService): Promise<string> {
  const phone = spawn(process.execPath, [FILE, "--url", url, "--key", operator.key], { stdio: "pipe" });
  let text = "";
  try {
    for await (const chunk of phone.stdout) {
      text += String(chunk);
      if (/speaks.*\n/.test(text) && !phone.stdin.writableEnded) phone.stdin.end();
    }
  } finally {
    phone.kill();
  }
  return text;
}

it("names the scripted model, with the line that gives a real one", async () => {
  service = await startTestService();
  const text = await written(service);
  expect(text).toContain("The scripted model speaks");
  expect(text).toContain(LINE);
});

it("names the real one where a real model speaks", async () => {
  service = await startTestService(REAL);
  const text = await written(service);
  expect(text).toContain("The model big-1 speaks.");
  expect(text).not.toContain("scripted");
});
