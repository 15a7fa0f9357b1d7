import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { createClient } from "../../client/client.ts";
import { type FollowOptions, followEvents } from "../../client/event-stream.ts";
import { eventually } from "../../simulation/drills/eventually.ts";
import { startTestService } from "../api/support/service.ts";
import { callable, made } from "../api/support/things.ts";
import { type ScriptedService, type Step, scriptedService } from "./scripted-service.ts";

let service: ScriptedService | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

/** A stream of these pieces, which then ends, is cut or stays open in silence. */
const stream =
  (then: "end" | "cut" | "silence", ...pieces: readonly string[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(pieces.join(""), () => {
      if (then === "end") response.end();
      if (then === "cut") response.destroy();
    });
  };
const event = (position: string) =>
  `id: ${position}\nevent: CallFailed\ndata: {"position":"${position}"}\n\n`;
const CLOSING = 'event: closing\ndata: {"reason":"stopping"}\n\n';
const REVOKED: Step = {
  status: 401,
  body: { success: false, error: { code: "UNAUTHORIZED", message: "No" } },
};

/** Positions, and how the stream ended. */
async function follow(steps: readonly Step[], options: FollowOptions = {}) {
  service = await scriptedService(steps);
  const client = createClient({ baseUrl: service.url, apiKey: "key", retries: 0 });
  const positions: string[] = [];
  try {
    for await (const { position } of followEvents(client, options)) positions.push(position);
  } catch (error) {
    return { positions, error };
  }
  return { positions, error: null };
}
const resumedAt = () => service?.requests.map(({ headers }) => headers["last-event-id"]);

describe("a stream that ends goes on after its last event", () => {
  it.each<[string, Step]>([
    ["is cut", stream("cut", event("1"), event("2"))],
    ["ends", stream("end", event("1"), event("2"))],
    ["is closed by a service that stops", stream("end", event("1"), event("2"), CLOSING)],
    ["is cut within an event", stream("cut", event("1"), event("2"), "id: 3\nda")],
  ])("when it %s", async (_how, first) => {
    const saw = await follow([first, stream("end", event("3")), REVOKED], {
      after: "0",
      types: "CallFailed",
    });
    expect(saw.positions).toEqual(["1", "2", "3"]);
    expect(resumedAt()).toEqual([undefined, "2", "3"]);
    expect(service?.requests.map(({ path }) => path)).toEqual(
      Array(3).fill("/api/v1/events?after=0&types=CallFailed"),
    );
  });

  it("when nothing comes any more", async () => {
    const saw = await follow([stream("silence", event("1")), REVOKED], { silenceMs: 1_000 });
    expect(saw.positions).toEqual(["1"]);
    expect(resumedAt()).toEqual([undefined, "1"]);
  });

  it("where no event has come yet: after the place that its first line names", async () => {
    await follow([stream("cut", "id: 17\n\n"), REVOKED], { after: "now" });
    expect(resumedAt()).toEqual([undefined, "17"]);
  });

  it("also when the service is away for a while", async () => {
    const away: Step = { status: 503, body: {} };
    const saw = await follow([stream("cut", event("1")), "cut", away, stream("cut", event("2")), REVOKED]);
    expect(saw.positions).toEqual(["1", "2"]);
  });
});

describe("a stream is over", () => {
  it("with an error, when the service refuses it", async () => {
    expect((await follow([stream("end", event("1")), REVOKED])).error).toMatchObject({
      code: "UNAUTHORIZED",
    });
  });

  it("with an error, when even the first connection fails", async () => {
    expect((await follow(["cut"])).error).toMatchObject({ name: "ConnectionError" });
    expect(service?.requests).toHaveLength(1);
  });

  it("with an error, when what answers knows no stream", async () => {
    const page: Step = { status: 200, body: { success: true, data: [] } };
    expect((await follow([page])).error).toMatchObject({
      name: "ConnectionError",
      message: expect.stringContaining("the answer is no stream of events"),
    });
  });

  it.each([
    ["while it waits for events", stream("silence")],
    ["while it waits for the service", "cut"],
  ] as const)("without an error, when its signal ends it %s", async (_when, last) => {
    const ending = new AbortController();
    void eventually("a second connection", () => (service?.requests.length ?? 0) >= 2).then(() =>
      ending.abort(),
    );
    const saw = await follow([stream("end", event("1")), last], { signal: ending.signal });
    expect(saw).toEqual({ positions: ["1"], error: null });
  });
});

it("of the real service is over when its key is revoked", async () => {
  const real = await startTestService();
  try {
    const key = await made(real.operator, "/api/v1/api-keys", { name: "reader", scopes: ["events:read"] });
    const call = { ...(await callable(real.operator)), to: "+15005550002" };
    await real.operator.send("POST", "/api/v1/calls/outbound", { body: call });
    const client = createClient({ baseUrl: real.url, apiKey: key.key });
    const saw: string[] = [];
    const following = async () => {
      for await (const { type } of followEvents(client)) {
        saw.push(type);
        if (type === "CallFailed") await real.operator.send("DELETE", `/api/v1/api-keys/${key.id}`);
      }
    };
    await expect(following()).rejects.toMatchObject({ status: 401, code: "UNAUTHORIZED" });
    expect(saw.at(0)).toBe("CallRequested");
  } finally {
    await real.stop();
  }
});
