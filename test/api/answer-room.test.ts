import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Api } from "../../api/api.ts";
import { buildServer } from "../../api/server.ts";
import { PATIENCE } from "../../api/slow-clients.ts";
import type { Queries } from "../../application/ports/queries.ts";
import type { ContactRecord } from "../../contract/contact.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { configurationThat, throwingDeps } from "./support/inert-deps.ts";

const MIB = 1024 * 1024;
/** More than the kernel takes for a client that reads nothing. */
const ANSWER = "x".repeat(16 * MIB);
const ROOM_OF_ONE_OWNER = 48 * MIB;
const LISTS_OF_ONE_OWNER = 2;
const failure = () => new Error("nothing else works");
const owners = new Map([
  ["greedy", systemIds.next("usr")],
  ["other", systemIds.next("usr")],
]);
const PATH = `/api/v1/campaigns/${systemIds.next("cmp")}`;

const contact: ContactRecord = {
  id: systemIds.next("ctc"),
  phoneNumber: "+15005550006",
  name: ANSWER,
  customData: {},
  timezone: null,
  externalId: null,
  consent: null,
  status: "pending",
  attempts: [],
  nextAttemptAt: null,
  nextAttemptCause: null,
  callbackAt: null,
  hold: null,
  skipReason: null,
  optedOut: false,
  outcome: null,
  createdAt: "2026-09-01T10:00:00.000Z",
};

describe("answers to clients that do not read", () => {
  let api: Api;
  let port: number;
  let asked: number;
  let sockets: Socket[];

  async function start(answer: { readonly room: number; readonly taken: number }): Promise<void> {
    asked = 0;
    sockets = [];
    const deps = throwingDeps(failure, {
      configuration: configurationThat(failure, async (key) => {
        const owner = owners.get(key) ?? systemIds.next("usr");
        return { owner, keyId: systemIds.next("key"), scopes: ["admin", "operator"] };
      }),
    });
    const contacts: Queries["contacts"] = async (_owner, _id, _filter, _page, heard) => {
      asked += 1;
      heard?.("1");
      return { rows: [contact], next: asked < 1_000 ? asked : null };
    };
    const queries = new Proxy(deps.queries, {
      get: (target, name) => (name === "contacts" ? contacts : Reflect.get(target, name)),
    });
    api = buildServer({ ...deps, queries }, { ...PATIENCE, answer });
    await api.listen({ host: "127.0.0.1", port: 0 });
    port = Number(new URL(api.listeningOrigin).port);
  }
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await api.close();
  });

  /** Nobody listens for its data, so nothing is read. */
  async function askWithoutReading(path: string): Promise<void> {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => undefined);
    await once(socket, "connect");
    socket.write(`GET ${PATH}${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer greedy\r\n\r\n`);
  }
  const read = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`http://127.0.0.1:${port}${PATH}/contacts?limit=1000`, { headers });
    await answer.arrayBuffer();
    return [answer.status, answer.headers.get("retry-after")];
  };

  describe("where nothing is given up", () => {
    beforeEach(() => start({ room: 60_000, taken: 60_000 }));

    it.each(["/contacts?limit=1000", "/contacts"])(
      "hold no more than their owner's room and what is being made: %s",
      async (path) => {
        for (let socket = 0; socket < 20; socket += 1) await askWithoutReading(path);
        await eventually("the owner's room is full", () => asked >= ROOM_OF_ONE_OWNER / (16 * MIB));
        expect(await read("other")).toEqual([200, null]);
        const most = ROOM_OF_ONE_OWNER / (16 * MIB) + (path === "/contacts" ? 8 : LISTS_OF_ONE_OWNER);
        expect(asked - 1).toBeLessThanOrEqual(most);
      },
    );

    it("hold one part of an export each, and no more than the room", async () => {
      for (let socket = 0; socket < 12; socket += 1) await askWithoutReading("/contacts.csv");
      await eventually("all have begun", () => asked >= 12);
      expect(await read("other")).toEqual([200, null]);
      // Each has read its first part, and none its second.
      expect(asked - 1).toBe(12);
    });
  });

  it("are 503 with Retry-After when there is no room in time", async () => {
    await start({ room: 200, taken: 60_000 });
    for (let socket = 0; socket < 20; socket += 1) await askWithoutReading("/contacts?limit=1000");
    await eventually("the owner's room is full", () => asked >= ROOM_OF_ONE_OWNER / (16 * MIB));
    expect(await read("greedy")).toEqual([503, "1"]);
    expect(await read("other")).toEqual([200, null]);
  });

  it("are cut when nothing of them is taken, and leave their room", async () => {
    // Long enough for the one who reads, also on a busy machine; more than have room at once.
    await start({ room: 60_000, taken: 2_000 });
    for (let socket = 0; socket < 6; socket += 1) await askWithoutReading("/contacts?limit=1000");
    expect(await read("greedy")).toEqual([200, null]);
    await eventually("all are cut", async () => (await connectionsOf(api)) <= 1, 60_000);
    expect(asked).toBe(7);
  });

  it("wait 10 s for room, and are cut after 30 s", () => {
    expect(PATIENCE.answer).toEqual({ room: 10_000, taken: 30_000 });
  });
});

function connectionsOf(api: Api): Promise<number> {
  return new Promise((resolve, reject) =>
    api.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}
