import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startProgram } from "../../simulation/drills/program.ts";
import { removeFolder } from "../../simulation/drills/remove-folder.ts";
import { runProgram } from "./run-program.ts";

it.each([
  [["--as", "nobody"], '--as takes simulated or twilio, not "nobody"'],
  [["--as", "twilio", "--faults", "lostReply"], "--faults takes names with shares from 0 to 1"],
  [["--as", "twilio", "--calls-per-second", "0"], "--calls-per-second takes a number above 0"],
])("npm run carrier refuses %j before it starts anything", async (args, mistake) => {
  const { code, stdout, stderr } = await runProgram("carrier.ts", args, {});
  expect(stderr).toContain(mistake);
  expect([code, stdout]).toEqual([2, ""]);
});

it("npm run carrier -- --as twilio keeps no account that everybody knows open beyond loopback", async () => {
  const env = { HOST: "0.0.0.0", SIMULATOR_PORT: "0" };
  const { code, stderr } = await runProgram("carrier.ts", ["--as", "twilio"], env);
  expect(stderr).toContain("TWILIO_AUTH_TOKEN: required to listen on 0.0.0.0");
  expect(code).toBe(1);
});

it("npm run carrier -- --as twilio asks for the account's token, and takes faults while it runs", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fake-twilio-"));
  const account = { TWILIO_ACCOUNT_SID: `AC${"3".repeat(32)}`, TWILIO_AUTH_TOKEN: "the token of this test" };
  const carrier = startProgram(
    join(import.meta.dirname, "../../programs/carrier.ts"),
    { ...account, SIMULATOR_PORT: "0", SIMULATOR_DATA_DIR: join(folder, "carrier") },
    join(folder, "log"),
    ["--as", "twilio"],
  );
  const url = await carrier.listening;
  const path = `${url}/2010-04-01/Accounts/${account.TWILIO_ACCOUNT_SID}.json`;
  const sid = account.TWILIO_ACCOUNT_SID;
  const asked = async (token: string) => {
    const authorization = `Basic ${Buffer.from(`${sid}:${token}`).toString("base64")}`;
    const answer = await fetch(path, { headers: { authorization } });
    return { status: answer.status, ...((await answer.json()) as object) };
  };
  expect(await asked("another")).toMatchObject({ status: 401, code: 20_003 });
  expect(await asked(account.TWILIO_AUTH_TOKEN)).toMatchObject({ sid });
  const setFaults = (faults: object) =>
    fetch(`${url}/faults`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(faults),
    });
  expect((await setFaults({ lostReply: 0.5 })).status).toBe(200);
  expect((await setFaults({ nothing: 1 })).status).toBe(400);
  await carrier.stop();
  await removeFolder(folder);
});
