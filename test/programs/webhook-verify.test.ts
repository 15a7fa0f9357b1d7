import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { seedSignature } from "../../infrastructure/webhook/signature.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "webhook-verify-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function run(secret: string, now: string): { code: number | null; line: string } {
  const file = join(folder, "request.txt");
  const body = '{"event":"call.ended","data":{}}';
  const signature = seedSignature("whsec_a2V5", "1790000000000", Buffer.from(body));
  writeFileSync(file, `X-Service-Signature: ${signature}\nX-Service-Timestamp: 1790000000000\n\n${body}`);
  const args = ["programs/webhook-verify.ts", "--secret", secret, "--file", file, "--now", now];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { code: status, line: stdout };
}

it("ends with 0 for a request that a receiver accepts", () => {
  expect(run("whsec_a2V5", "1790000000000")).toMatchObject({
    code: 0,
    line: expect.stringContaining("valid"),
  });
});

it("ends with 1 and the reason for one that a receiver refuses", () => {
  const refused = run("whsec_b3RoZXI", "1790000000000");
  expect(refused).toMatchObject({ code: 1, line: expect.stringContaining("wrong secret") });
});

it("ends with 2 when the question was not understood", () => {
  expect(run("whsec_a2V5", "yesterday").code).toBe(2);
});
