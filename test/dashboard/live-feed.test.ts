import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FeedEvent, FromFeed, ToFeed } from "../../dashboard/src/live/feed-protocol.ts";

/** One request of the worker; the test is the service. */
type Asked = { readonly path: string; readonly signal: AbortSignal; answer(response: Response | null): void };
type Tab = { readonly told: FromFeed[]; send(message: ToFeed): void };
type Connect = (event: { readonly ports: readonly unknown[] }) => void;

const FEED = new URL("../../dashboard/src/live/feed-worker.ts", import.meta.url).href;
const EVENTS_AFTER = (position: string) => `/api/v1/events?after=${position}`;

let asked: Asked[];
let connect: Connect;
let round = 0;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  asked = [];
  vi.stubGlobal("self", { addEventListener: (_: string, listener: Connect) => (connect = listener) });
  vi.stubGlobal("fetch", (path: string, { signal }: { signal: AbortSignal }) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    signal.addEventListener("abort", () => reject(signal.reason));
    const answer = (response: Response | null) =>
      response === null ? reject(new TypeError("fetch failed")) : resolve(response);
    asked.push({ path, signal, answer });
    return promise;
  });
  round += 1;
  // As each browser starts it: nothing is left of the one before.
  await import(`${FEED}?round=${round}`);
});
afterEach(() => {
  for (const tab of tabs.splice(0)) tab.send("leave");
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const tabs: Tab[] = [];
function openTab(): Tab {
  let hear: (event: { data: ToFeed }) => void = () => undefined;
  const told: FromFeed[] = [];
  connect({
    ports: [
      {
        addEventListener: (_: string, listener: typeof hear) => (hear = listener),
        start: () => undefined,
        postMessage: (message: FromFeed) => told.push(message),
      },
    ],
  });
  const tab = { told, send: (data: ToFeed) => hear({ data }) };
  tabs.push(tab);
  return tab;
}
function followingTab(): Tab {
  const tab = openTab();
  tab.send("follow");
  return tab;
}

const settle = async () => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((go) => setImmediate(go));
};
const pass = async (millis: number) => {
  await vi.advanceTimersByTimeAsync(millis);
  await settle();
};
const eventsOf = ({ told }: Tab) => told.flatMap((each) => (each.kind === "events" ? [each.events] : []));
const statesOf = ({ told }: Tab) => told.flatMap((each) => (each.kind === "state" ? [each.live] : []));

const event = (position: number): FeedEvent => ({
  position: String(position),
  stream: "campaign-cmp_1",
  revision: position,
  type: "ContactDialed",
  data: { name: "Zoë 東京" },
  occurredAt: "2026-09-01T10:00:00.000Z",
});
const block = (position: number) =>
  `id: ${position}\nevent: ContactDialed\ndata: ${JSON.stringify(event(position))}\n\n`;

/** The service begins to answer the latest request. */
async function stream() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
  });
  asked.at(-1)?.answer(new Response(body));
  await settle();
  return {
    send: async (piece: string | Uint8Array) => {
      controller?.enqueue(typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
      await settle();
    },
    end: async () => {
      controller?.close();
      await settle();
    },
    breakOff: async () => {
      controller?.error(new Error("cut"));
      await settle();
    },
  };
}
const answered = async (status: number) => {
  asked.at(-1)?.answer(new Response(null, { status }));
  await settle();
};

describe("the live feed of a browser", () => {
  it("is one stream for all its tabs: each hears every event and how it stands, one that has left nothing", async () => {
    const [one, other] = [followingTab(), followingTab()];
    expect(asked.map(({ path }) => path)).toEqual([EVENTS_AFTER("now")]);
    const service = await stream();
    const late = followingTab();
    expect(late.told).toEqual([{ kind: "state", live: "live" }]);
    other.send("leave");
    await service.send(block(1));
    await pass(250);
    expect(asked).toHaveLength(1);
    expect([eventsOf(one), eventsOf(other), eventsOf(late)]).toEqual([[[event(1)]], [], [[event(1)]]]);
  });

  it("tells together what comes within a quarter of a second, and no sooner", async () => {
    const tab = followingTab();
    const service = await stream();
    await service.send(block(1) + block(2));
    await pass(200);
    await service.send(block(3));
    expect(eventsOf(tab)).toEqual([]);
    await pass(50);
    expect(eventsOf(tab)).toEqual([[event(1), event(2), event(3)]]);
    await service.send(block(4));
    await pass(250);
    expect(eventsOf(tab).at(-1)).toEqual([event(4)]);
  });

  it("puts an event together that came in pieces, cut within a letter too", async () => {
    const tab = followingTab();
    const service = await stream();
    for (const byte of new TextEncoder().encode(block(1))) await service.send(Uint8Array.of(byte));
    await pass(250);
    expect(eventsOf(tab)).toEqual([[event(1)]]);
  });

  it("tells nothing of a farewell, a comment and what is no event, and goes on behind them", async () => {
    const tab = followingTab();
    const service = await stream();
    await service.send(`: quiet\n\nid: 7\nevent: closing\ndata: {}\n\nid: 8\ndata: {no json\n\n`);
    await pass(250);
    expect(eventsOf(tab)).toEqual([]);
    await service.end();
    await pass(500);
    expect(asked.at(-1)?.path).toBe(EVENTS_AFTER("8"));
  });

  it("goes on after a break from the last event that it heard, of which the tabs hear before the break", async () => {
    const tab = followingTab();
    const service = await stream();
    await service.send(block(41));
    await service.breakOff();
    expect(tab.told.slice(-2)).toEqual([
      { kind: "events", events: [event(41)] },
      { kind: "state", live: "offline" },
    ]);
    await pass(499);
    expect(asked).toHaveLength(1);
    await pass(1);
    expect(asked.at(-1)?.path).toBe(EVENTS_AFTER("41"));
    await stream();
    expect(statesOf(tab)).toEqual(["connecting", "connecting", "live", "offline", "connecting", "live"]);
  });

  it("waits twice as long after each failure, 8 s at most, and half a second again after a success", async () => {
    followingTab();
    for (const wait of [500, 1_000, 2_000, 4_000, 8_000, 8_000]) {
      const before = asked.length;
      asked.at(-1)?.answer(wait === 1_000 ? new Response(null, { status: 503 }) : null);
      await settle();
      await pass(wait - 1);
      expect(asked).toHaveLength(before);
      await pass(1);
      expect(asked).toHaveLength(before + 1);
    }
    await (await stream()).end();
    const before = asked.length;
    await pass(500);
    expect(asked).toHaveLength(before + 1);
  });

  it("says that nobody is signed in any more, and asks no further until somebody is", async () => {
    const tab = followingTab();
    await (await stream()).send(block(3));
    asked.splice(0);
    tab.send("stop");
    tab.send("follow");
    await answered(401);
    expect(tab.told.at(-1)).toEqual({ kind: "signed_out" });
    await pass(60_000);
    expect(asked).toHaveLength(1);
    tab.send("follow");
    expect(asked.map(({ path }) => path)).toEqual([EVENTS_AFTER("now"), EVENTS_AFTER("now")]);
  });

  it("asks for the session where it may not follow: signed out when that is gone, else again in 2 s", async () => {
    const tab = followingTab();
    await answered(403);
    expect(asked.at(-1)?.path).toBe("/api/v1/session");
    await answered(200);
    expect(statesOf(tab).at(-1)).toBe("offline");
    await pass(1_999);
    expect(asked).toHaveLength(2);
    await pass(1);
    expect(asked.at(-1)?.path).toBe(EVENTS_AFTER("now"));
    await answered(403);
    asked.at(-1)?.answer(null);
    await settle();
    await pass(2_000);
    await answered(403);
    await answered(401);
    expect(tab.told.at(-1)).toEqual({ kind: "signed_out" });
    await pass(60_000);
    expect(asked.filter(({ path }) => path !== "/api/v1/session")).toHaveLength(3);
  });

  it("ends with a stop: what was not told is dropped, and the next user begins at now", async () => {
    const tab = followingTab();
    const service = await stream();
    await service.send(block(5));
    tab.send("stop");
    expect(asked.at(-1)?.signal.aborted).toBe(true);
    await pass(60_000);
    expect([eventsOf(tab), asked.length]).toEqual([[], 1]);
    tab.send("follow");
    expect(asked.at(-1)?.path).toBe(EVENTS_AFTER("now"));
  });

  it("ends with the last tab, not before", async () => {
    const [one, other] = [followingTab(), followingTab()];
    await stream();
    one.send("leave");
    expect(asked.at(-1)?.signal.aborted).toBe(false);
    other.send("leave");
    expect(asked.at(-1)?.signal.aborted).toBe(true);
  });
});
