import { afterEach, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Api } from "../../api/api.ts";
import { buildServer } from "../../api/server.ts";
import { PATIENCE } from "../../api/slow-clients.ts";
import type { SocketEntrance } from "../../application/ports/entrances.ts";
import { throwingDeps } from "./support/inert-deps.ts";

const echo: SocketEntrance = {
  path: "/echo/:name",
  refuses: async ({ params }) => (params["name"] === "nobody" ? { status: 403, message: "Not you" } : null),
  open: (_request, socket) => socket.onText((text) => socket.send(text)),
  leave: () => undefined,
};
/** So short that a socket is looked at many times within the test. */
const HASTY = { ...PATIENCE, firstByte: 100, header: 100, checkEvery: 20 };

let api: Api | null = null;
afterEach(() => api?.close());

async function listening(): Promise<string> {
  api = buildServer(
    throwingDeps(() => new Error("not asked"), { entrances: [echo] }),
    HASTY,
  );
  return (await api.listen({ host: "127.0.0.1", port: 0 })).replace("http", "ws");
}

it("keeps a socket open for longer than any request may take", async () => {
  const socket = new WebSocket(`${await listening()}/echo/ada`);
  let echoes = 0;
  const outcome = await new Promise<string>((resolve) => {
    socket.on("open", () => socket.send("hello"));
    socket.on("close", (code) => resolve(`closed ${code} after ${echoes} echoes`));
    socket.on("message", () => {
      echoes += 1;
      if (echoes === 50) resolve("still open");
      else setTimeout(() => socket.send("again"), 20);
    });
  });
  socket.terminate();
  expect(outcome).toBe("still open");
});

it("answers who is refused before the upgrade, and closes the connection", async () => {
  const socket = new WebSocket(`${await listening()}/echo/nobody`);
  socket.on("error", () => undefined);
  const status = await new Promise<number>((resolve) => {
    socket.on("unexpected-response", (_request, response) => {
      response.resume();
      response.socket.once("close", () => resolve(response.statusCode ?? 0));
    });
  });
  expect(status).toBe(403);
});

it("says to a plain request that a socket is needed", async () => {
  const answer = await fetch(`${(await listening()).replace("ws", "http")}/echo/ada`);
  expect([answer.status, answer.headers.get("upgrade")]).toEqual([426, "websocket"]);
});
