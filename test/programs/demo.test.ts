import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { removeFolder } from "../../simulation/drills/remove-folder.ts";
import { startEventStoreDbServer } from "../support/eventstoredb/server.ts";
import { runProgram } from "./run-program.ts";

describe("npm run demo", () => {
  it("does the main job on a sample, and every number agrees", async () => {
    const { code, stdout } = await runProgram("demo/demo.ts", ["--contacts", "25"], {});
    expect(stdout).toContain("Every number agrees.");
    expect(stdout).toMatch(/Webhooks: \d+ arrived, \d+ verified by the six rules, 0 refused/);
    expect(code).toBe(0);
  }, 240_000);

  it("does the same through the SDK of Twilio, which is played by a program that dials nobody", async () => {
    const { code, stdout } = await runProgram("demo/demo.ts", ["--contacts", "8", "--carrier", "twilio"], {});
    expect(stdout).toContain("a Twilio that dials nobody");
    expect(stdout).toContain("Every number agrees.");
    expect(code).toBe(0);
  }, 240_000);

  it("does the same with the log in EventStoreDB", async () => {
    const server = await startEventStoreDbServer();
    const { code, stdout } = await runProgram("demo/demo.ts", ["--contacts", "10"], {
      EVENTSTORE_URL: server.url,
    });
    await server.stop();
    expect(stdout).toContain("Every number agrees.");
    expect(code).toBe(0);
  }, 240_000);

  it("says which column a contact list lacks, before it starts anything", async () => {
    const folder = await mkdtemp(join(tmpdir(), "ringfold-demo-test-"));
    const csv = join(folder, "list.csv");
    await writeFile(csv, "name,number\nAda,+14155550101\n");
    const { code, stdout, stderr } = await runProgram("demo/demo.ts", ["--csv", csv], {});
    expect(stderr).toBe(`${csv}: The column phone is missing; the header has name, number\n`);
    expect([code, stdout]).toEqual([1, ""]);
    await removeFolder(folder);
  }, 120_000);
});
