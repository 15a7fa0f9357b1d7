import { expect, it } from "vitest";
import { ConfigError, readConfig } from "../../infrastructure/config.ts";

const SID = `AC${"a1".repeat(16)}`;
const TWILIO = { TWILIO_ACCOUNT_SID: SID, TWILIO_AUTH_TOKEN: "t", PUBLIC_URL: "https://calls.example.com" };
const ASTERISK = { ASTERISK_URL: "http://10.0.0.5:8088/", ASTERISK_USER: "ari", ASTERISK_PASSWORD: "p" };

function mistakes(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.lines.map((line) => line.split(":")[0] ?? "") : ["?"];
  }
}

it("both carriers may be the installation's own, whichever numbers without a connection use", () => {
  const { carrier, carriers } = readConfig({ CARRIER: "asterisk", ...TWILIO, ...ASTERISK });
  expect(carrier).toBe("asterisk");
  expect(carriers.map(({ kind, settings }) => [kind, settings.callsPerSecond])).toEqual([
    ["twilio", 1],
    ["asterisk", null],
  ]);
  expect(carriers[1]?.settings).toMatchObject({ url: "http://10.0.0.5:8088", context: "ringfold-dial" });
});

it.each([
  ["Twilio without an address to call back", { CARRIER: "twilio" }, ["PUBLIC_URL"]],
  ["half an account", { ...TWILIO, TWILIO_AUTH_TOKEN: "" }, ["TWILIO_AUTH_TOKEN"]],
  ["half an Asterisk", { ASTERISK_URL: "http://pbx:8088" }, ["ASTERISK_URL"]],
  [
    "short retry minutes for people",
    { CARRIER: "asterisk", SIMULATOR_MINUTE_MS: "10" },
    ["SIMULATOR_MINUTE_MS"],
  ],
  ["no account at all: owners bring theirs", { CARRIER: "asterisk" }, []],
])("%s", (_what, env, told) => {
  expect(mistakes(env)).toEqual(told);
});
