import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signedHeaders } from "../../infrastructure/webhook/signature.ts";
import { eventually } from "../../simulation/drills/eventually.ts";

const page = readFileSync(new URL("../../docs/webhooks.md", import.meta.url), "utf8");
const secret = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
const body = Buffer.from(JSON.stringify({ event: "call.ended", data: { callId: "call_1", name: "Zoë 🎉" } }));

/** The first program below a heading. */
function programOf(heading: string): string {
  const code = page.split(`### ${heading}\n`)[1]?.split("```js\n")[1]?.split("```")[0];
  if (code === undefined) throw new Error(`no program below "${heading}"`);
  return code;
}

function signed(changes: Record<string, string | null> = {}, at = Date.now()): Record<string, string> {
  const message = { eventId: "e1", deliveryId: "dlv_1", attempt: 1, body };
  const headers = { ...signedHeaders({ current: secret, next: null }, message, at), ...changes };
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

describe.each(["Fastify", "Express"])("the receiver for %s", (framework) => {
  let program: ChildProcess;
  let base = "";
  beforeAll(async () => {
    program = spawn(process.execPath, ["--input-type=module", "--eval", programOf(framework)], {
      env: { WEBHOOK_SECRET: secret, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    program.stdout?.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
    base = await eventually("its address", () => /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]);
  });
  afterAll(() => program.kill());

  async function post(headers: Record<string, string>, sent: Buffer = body) {
    const response = await fetch(`${base}/webhooks`, { method: "POST", headers, body: new Uint8Array(sent) });
    return { status: response.status, body: await response.json() };
  }

  it("accepts what is signed, with 200 and received true", async () => {
    expect(await post(signed())).toEqual({ status: 200, body: { received: true } });
  });

  it.each(["X-Service-Signature", "X-Service-Timestamp"])(
    "refuses a request without %s, with 401 and an error",
    async (name) => {
      expect(await post(signed({ [name]: null }))).toMatchObject({
        status: 401,
        body: { error: expect.any(String) },
      });
    },
  );

  it.each([-301_000, 301_000])("refuses a timestamp that is %i ms away", async (off) => {
    expect(await post(signed({}, Date.now() + off))).toMatchObject({ status: 401 });
  });

  it("accepts a timestamp that is 4 minutes away", async () => {
    expect(await post(signed({}, Date.now() - 240_000))).toMatchObject({ status: 200 });
  });

  it("refuses a body that was changed by a single byte", async () => {
    expect(await post(signed(), Buffer.concat([body, Buffer.from(" ")]))).toMatchObject({ status: 401 });
  });

  it.each(["", "sha256=", `sha256=${"0".repeat(64)}`, "x".repeat(500)])(
    "refuses the signature %j",
    async (signature) => {
      expect(await post(signed({ "X-Service-Signature": signature }))).toMatchObject({ status: 401 });
    },
  );

  it("refuses another timestamp under the same signature", async () => {
    expect(await post(signed({ "X-Service-Timestamp": String(Date.now() + 1_000) }))).toMatchObject({
      status: 401,
    });
  });
});
