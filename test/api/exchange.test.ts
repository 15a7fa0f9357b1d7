import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createExchange, type Exchange } from "../../api/exchange.ts";
import { eventually } from "../../simulation/drills/eventually.ts";

const REQUEST = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

type Arrived = {
  readonly exchange: Exchange;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
};

let server: Server;
let arrived: Arrived[];
let client: Socket;
beforeEach(async () => {
  arrived = [];
  server = createServer((message, response) => {
    arrived.push({ exchange: createExchange(response), message, response });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

/** So many requests on one connection, none of them answered. */
async function requests(count: number): Promise<void> {
  const { port } = server.address() as AddressInfo;
  client = connect(port, "127.0.0.1");
  client.resume().on("error", () => undefined);
  client.write(REQUEST.repeat(count));
  await eventually("the requests", () => arrived.length === count);
}

/** How often it ran. */
function counted(exchange: Exchange): () => number {
  let ran = 0;
  exchange.afterwards(() => {
    ran += 1;
  });
  return () => ran;
}

function only({ length, 0: first }: Arrived[]): Arrived {
  if (first === undefined || length !== 1) throw new Error(`${length} requests`);
  return first;
}

describe("the end of an exchange", () => {
  it("is told once when the answer is out, and nothing is aborted", async () => {
    await requests(1);
    const { exchange, response } = only(arrived);
    const signal = exchange.signal();
    const ran = counted(exchange);
    expect(ran()).toBe(0);
    response.end("answer");
    await once(response, "close");
    expect([ran(), signal.aborted]).toEqual([1, false]);
  });

  it("is told once when the client goes, and the signal aborts", async () => {
    await requests(1);
    const { exchange, response } = only(arrived);
    const signal = exchange.signal();
    const ran = counted(exchange);
    client.destroy();
    await once(response, "close");
    expect([ran(), signal.aborted]).toEqual([1, true]);
  });

  it("is told at once to who asks after the client is gone", async () => {
    await requests(1);
    const { exchange, response } = only(arrived);
    client.destroy();
    await once(response, "close");
    expect([counted(exchange)(), exchange.signal().aborted]).toEqual([1, true]);
  });

  it("is told at once to who asks after the answer is out", async () => {
    await requests(1);
    const { exchange, response } = only(arrived);
    response.end("answer");
    await once(response, "close");
    expect([counted(exchange)(), exchange.signal().aborted]).toEqual([1, false]);
  });

  it("is told to answers that wait behind another when their client goes", async () => {
    await requests(20);
    const ran = arrived.map(({ exchange }) => counted(exchange));
    const signals = arrived.map(({ exchange }) => exchange.signal());
    client.destroy();
    await eventually("the end of the connection", () =>
      arrived.every(({ message }) => message.socket.closed),
    );
    expect([...ran, ...arrived.map(({ exchange }) => counted(exchange))].map((times) => times())).toEqual(
      Array.from({ length: 40 }, () => 1),
    );
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });
});
