import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Api } from "../../api/api.ts";
import { ApiError } from "../../api/errors.ts";
import { buildServer } from "../../api/server.ts";
import type { OpenSession } from "../../application/ports/configuration/sessions.ts";
import type { LogFields } from "../../application/ports/logger.ts";
import { ROUTES } from "../../contract/routes.ts";
import { silentLogger } from "../../simulation/memory/silent.ts";
import { configurationThat, throwingDeps } from "./support/inert-deps.ts";

const KEY = { authorization: "Bearer good" };
const SESSION = { cookie: "ringfold_session=open" };
const nothing = () => new Error("no work in this test");
const session: OpenSession = {
  sessionId: "session-1",
  keyId: "key_1",
  keyName: "Dashboard",
  scopes: ["admin"],
  owner: { id: "usr_1", name: "Acme" },
  expiresAt: "2026-09-01T22:00:00.000Z",
};

let api: Api;
let lines: { level: "debug" | "info"; message: string; fields: LogFields }[];
let passed: number;
/** What a carrier's report is answered with. */
let reported: 204 | 403;
beforeEach(() => {
  reported = 204;
  lines = [];
  passed = 0;
  // Only a handler lets time pass: a busy machine makes no request slow.
  vi.spyOn(performance, "now").mockImplementation(() => passed);
  const configuration = configurationThat(nothing, async () => ({
    owner: "usr_1",
    keyId: "key_1",
    scopes: ["admin"],
  }));
  const { sessions } = configuration;
  const writes = (level: "debug" | "info") => (fields: LogFields, message: string) =>
    void lines.push({ level, message, fields });
  api = buildServer(
    throwingDeps(nothing, {
      configuration: { ...configuration, sessions: { ...sessions, verify: async () => session } },
      logger: { ...silentLogger, debug: writes("debug"), info: writes("info") },
      carrierCallbacks: { receive: async () => ({ status: reported, message: "" }) },
      requestEntrances: [
        {
          method: "POST",
          path: "/carrier/twilio/:callId/status",
          answer: async () => ({ status: reported, contentType: null, body: "" }),
        },
      ],
    }),
  );
  const takes = (millis: number, type = "text/plain") => ({
    handler: async (_request: unknown, reply: { type: (name: string) => unknown }) => {
      passed += millis;
      reply.type(type);
      return "done";
    },
  });
  api.get("/api/v1/quick", takes(0));
  api.post("/api/v1/quick", takes(0));
  api.post("/api/v1/trial", { config: { quietAt: [200] } }, takes(0).handler);
  api.post("/api/v1/refused-trial", { config: { quietAt: [200] } }, () =>
    Promise.reject(new ApiError("NOT_FOUND", "Nothing here")),
  );
  api.get("/api/v1/slow", takes(1_500));
  api.get("/api/v1/stream", takes(60_000, "text/event-stream"));
  api.get("/api/v1/refused", () => Promise.reject(new ApiError("NOT_FOUND", "Nothing here")));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await api.close();
});

type Asked = readonly [method: "GET" | "HEAD" | "POST", path: string, headers: typeof KEY | typeof SESSION];

/** The level of the line of such a request. */
async function levelOf([method, path, headers]: Asked): Promise<string | undefined> {
  lines = [];
  await api.inject({
    method,
    url: `/api/v1/${path}`,
    headers: { ...headers, "sec-fetch-site": "same-origin" },
  });
  const told = lines.filter(({ message }) => message === "request answered");
  expect(told.map(({ fields }) => fields["status"])).toEqual([path.startsWith("refused") ? "404" : "200"]);
  return told[0]?.level;
}

it.each<Asked>([
  ["POST", "quick", KEY],
  ["POST", "quick", SESSION],
  ["GET", "refused", KEY],
  ["HEAD", "refused", KEY],
  ["POST", "refused-trial", KEY],
  ["GET", "slow", KEY],
])("what changed something, failed or took over a second is a line: %s %s", async (...asked) => {
  expect(await levelOf(asked)).toBe("info");
});

it.each<Asked>([
  ["GET", "quick", KEY],
  ["HEAD", "quick", KEY],
  ["POST", "trial", KEY],
  ["GET", "stream", KEY],
  ["GET", "quick", SESSION],
  ["GET", "refused", SESSION],
  ["GET", "slow", SESSION],
])("what was only read is none, and nothing that the dashboard reads: %s %s %o", async (...asked) => {
  expect(await levelOf(asked)).toBe("debug");
});

it("is none where the dashboard asks whether somebody is signed in", async () => {
  const { statusCode } = await api.inject({ method: "GET", url: "/api/v1/session" });
  expect([statusCode, lines.map(({ level }) => level)]).toEqual([401, ["debug"]]);
});

it.each(["/carrier/simulated/events", "/carrier/twilio/call_1/status"])(
  "is none for what a carrier reports of each call, but for a report that is refused: %s",
  async (url) => {
    await api.inject({ method: "POST", url, payload: "" });
    reported = 403;
    await api.inject({ method: "POST", url, payload: "" });
    expect(lines.map(({ level }) => level)).toEqual(["debug", "info"]);
  },
);

it("is none after what tries or checks and changes nothing", () => {
  const unchanged = Object.values(ROUTES).flatMap((route) =>
    "quietAt" in route ? [`${route.method} ${route.path} ${route.quietAt.join()}`] : [],
  );
  expect(unchanged.sort()).toEqual([
    "POST /api/v1/campaigns/import 200",
    "POST /api/v1/campaigns/preview 200",
    "POST /api/v1/connections/:id/check 200",
  ]);
});
