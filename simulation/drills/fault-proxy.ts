import { connect, createServer, type Socket } from "node:net";

/** A proxy between a client and a TCP server of this machine, with network faults. */
export type FaultProxy = {
  readonly port: number;
  /** Target of new connections: a restarted server may have another port. */
  readonly target: (port: number) => void;
  /**
   * The next request that contains all of these texts reaches the server; its answer is dropped and the
   * connection reset. The client cannot know whether it was executed: it was.
   */
  readonly loseAnswer: (texts: readonly string[]) => void;
  /** Answers that were lost so far. */
  readonly lost: () => number;
  readonly close: () => Promise<void>;
};

export async function startFaultProxy(targetPort: number): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  let port = targetPort;
  let marked: readonly string[] | null = null;
  let lost = 0;

  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    let answerIsLost = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      // Resets are the purpose of this proxy; each side gets the error from its own socket.
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (chunk) => {
      if (marked?.every((text) => chunk.includes(text))) {
        marked = null;
        answerIsLost = true;
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (!answerIsLost) client.write(chunk);
      else if (saysReady(chunk)) {
        lost += 1;
        client.resetAndDestroy();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    target: (next) => {
      port = next;
    },
    loseAnswer: (texts) => {
      marked = texts;
    },
    lost: () => lost,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * ReadyForQuery outside of a transaction is PostgreSQL's last message for a request: it is committed then.
 */
function saysReady(chunk: Buffer): boolean {
  return chunk.subarray(-6).equals(Buffer.from([0x5a, 0, 0, 0, 5, 0x49]));
}
