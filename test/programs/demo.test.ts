import { chmod, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { demoService } from "../../programs/demo/service.ts";
import { removeFolder } from "../../simulation/drills/remove-folder.ts";
import { startEventStoreDbServer } from "../support/eventstoredb/server.ts";
import { runProgram } from "./run-program.ts";

describe("npm run demo", () => {
  it("does the main job on a sample, and every number agrees", async () => {
    const { code, stdout } = await runProgram("demo/demo.ts", ["--contacts", "60"], { LOG_LEVEL: "info" });
    expect(stdout).toContain("Every number agrees.");
    expect(oneLine(stdout)).toMatch(/Webhooks: \d+ arrived, \d+ with a valid signature, 0 without/);
    expect(stdout).toMatch(/\n {2,}\d+ confirmed their appointment: \S/);
    expect(stdout).toMatch(/\n {2,}\d+ want another time: \S/);
    expect(stdout).toMatch(/\n {2,}\d+ said no: \S/);
    expect(stdout).toMatch(/were not reached:\n {4,}\d+ have a number that does not exist/);
    expectClinic(oneLine(stdout));
    expect(stdout).toMatch(
      /making the database[\s\S]*starting PostgreSQL[\s\S]*bringing the tables up to date/,
    );
    expect(oneLine(stdout)).toMatch(/scripted model, .* LLM_BASE_URL=\S+ .*npm run demo -- --keep/);
    expect(stdout).not.toMatch(/six rules|not 0/);
    expect(code).toBe(0);
  }, 240_000);

  it("does the same through the SDK of Twilio, which is played by a program that dials nobody", async () => {
    const { code, stdout } = await runProgram("demo/demo.ts", ["--contacts", "8", "--carrier", "twilio"], {});
    expect(stdout).toContain("a Twilio that dials nobody");
    expectClinic(oneLine(stdout));
    expect(stdout).toContain("Every number agrees.");
    expect(code).toBe(0);
  }, 240_000);

  it("writes nothing into an installation whose environment it finds: not its streams, files or services", async () => {
    const server = await startEventStoreDbServer();
    const folder = await mkdtemp(join(tmpdir(), "ringfold-demo-test-"));
    const { code, stdout, stderr } = await runProgram("demo/demo.ts", ["--contacts", "10"], {
      ...installationIn(folder),
      EVENTSTORE_URL: server.url,
      EVENTSTORE_PREFIX: "0",
    });
    await server.stop();
    expect([code, stderr]).toEqual([0, expect.stringContaining("100%")]);
    expect(stdout).toContain("Every number agrees.");
    const told = /streams of its own that begin with (\S+)/.exec(oneLine(stdout))?.[1] ?? "nothing";
    const streams = server.log.records.map(({ stream }) => stream).filter((name) => !name.startsWith("$"));
    expect(streams.length).toBeGreaterThan(100);
    expect(streams.filter((name) => !name.startsWith(told) || name.startsWith("0"))).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
    await removeFolder(folder);
  }, 240_000);

  it("draws other streams for each run", async () => {
    const stop = new AbortController().signal;
    vi.stubEnv("EVENTSTORE_URL", "esdb://127.0.0.1:1?tls=false");
    vi.stubEnv("EVENTSTORE_PREFIX", "7");
    const demos = Array.from({ length: 16 }, () => demoService(stop, "simulated"));
    await Promise.all(demos.map((demo) => demo.stop("remove all")));
    const drawn = demos.map(({ streams }) => streams ?? "");
    expect(new Set(drawn).size).toBe(drawn.length);
    expect(drawn.filter((prefix) => prefix === "" || prefix.startsWith("7"))).toEqual([]);
    vi.unstubAllEnvs();
  });

  it("that fails by an exception keeps the log of the service, and says where", async () => {
    const folder = await mkdtemp(join(tmpdir(), "ringfold-demo-test-"));
    await chmod(folder, 0o755); // the user of the database needs it
    const { code, stderr } = await runProgram("demo/demo.ts", ["--contacts", "5"], {
      TMPDIR: folder,
      EVENTSTORE_URL: "esdb://127.0.0.1:1?tls=false",
      LOG_LEVEL: "info",
    });
    const kept = /The log of the service is (\S+)/.exec(oneLine(stderr))?.[1] ?? "";
    expect([code, kept]).toEqual([1, expect.stringContaining(folder)]);
    expect(await readFile(kept, "utf8")).toContain("event log");
    expect(await readdir(folder)).toEqual([basename(kept)]);
    await removeFolder(folder);
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

const oneLine = (text: string) => text.replace(/\s+/g, " ");

/** The second customer's people are always the same, and so are their answers. */
function expectClinic(text: string): void {
  for (const told of [
    "called 8 people. 7 of their calls were read for two answers afterwards, and 3 are a success.",
    "confirmed (whether the appointment is kept): 3 yes, 2 no, 2 did not say",
    "instead (what they want in place of the appointment): 2 another time, 1 another day, 4 did not say",
    "Why confirmed is yes for Ada: message 1 of the call, “Yes, certainly.”",
    "Deniz said “Please never call me again.” and is on the do-not-call list since.",
    "next campaign had 2 people: Ada was called, Deniz was not.",
    "ok clinic: confirmed is yes, by statistics and by search: 3 = 3",
    "ok clinic: values, and those that a customer's words prove: 8 = 8",
    "ok clinic: calls of the next campaign to a number on the list: 0 = 0",
    "ok clinic: promised calls, by statistics and by contacts: 1 = 1",
  ])
    expect(text).toContain(told);
  expect(text).toMatch(
    /Selin said “I cannot talk now\. Please call me again in two minutes\.” and was promised a call at \d{4}-\d\d-\d\d \d\d:\d\d \(Europe\/Istanbul\)/,
  );
  expect(text).toMatch(/ok clinic: when it was promised, by contact and by call: (\S+Z) = \1/);
}

/** What an operator's shell may have set: each changes the demo, or the installation, if it is taken. */
function installationIn(folder: string): Record<string, string> {
  return {
    DATABASE_URL: "postgres://127.0.0.1:1/ringfold",
    SECRETS_KEY: "not the demo's",
    ERASURES_FILE: join(folder, "erasures.jsonl"),
    RECORDINGS_DIR: join(folder, "recordings"),
    SIMULATOR_DATA_DIR: join(folder, "carrier"),
    SIMULATOR_URL: "http://127.0.0.1:1",
    SPEECH_BASE_URL: "http://127.0.0.1:1/v1",
    LLM_BASE_URL: "http://127.0.0.1:1/v1",
    PLAN_MAX_CONCURRENT_CALLS: "1",
    INITIAL_CREDITS: "0",
    RATE_LIMIT_PER_SECOND: "1",
    RATE_LIMIT_BURST: "1",
    CRASH_AT: "nowhere",
  };
}
