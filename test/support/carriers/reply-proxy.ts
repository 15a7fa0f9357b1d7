import { connect, createServer, type Socket } from "node:net";

/**
 * A proxy between an adapter and its carrier on this machine, with network faults for requests and replies.
 * Upgraded sockets pass.
 */
export type ReplyProxy = {
  readonly port: number;
  /**
   * The reply to the next request that contains all of these texts is lost: the carrier has executed it, and
   * the connection is reset.
   */
  loseReply(texts: readonly string[]): void;
  /** The reply is delayed. */
  delayReply(texts: readonly string[], millis: number): void;
  /** The request itself is delayed, and arrives also if its sender is gone by then. */
  delayRequest(texts: readonly string[], millis: number): void;
  /** Replaces a text in replies by another one of the same length. */
  replaceInReplies(from: string, to: string): void;
  /** Every open connection breaks, and no new one is possible until `mend`. */
  cut(): void;
  /** WebSockets break and none opens until `mend`; requests are still answered. */
  cutWebSockets(): void;
  mend(): void;
  /** Faults that have happened. */
  readonly happened: () => number;
  close(): Promise<void>;
};

type Fault = {
  readonly texts: readonly string[];
  readonly kind: "lose" | "delay_reply" | "delay_request";
  readonly millis: number;
};

const UPGRADE = /^GET [^\r\n]*\r\n(?:.+\r\n)*upgrade: websocket\r\n/i;

/** `port`: 0 for a free one. */
export async function startReplyProxy(targetPort: number, port = 0): Promise<ReplyProxy> {
  const sockets = new Set<Socket>();
  const pending = new Set<NodeJS.Timeout>();
  let fault: Fault | null = null;
  let replaced: readonly [string, string] | null = null;
  let isCut = false;
  let hasWebSockets = true;
  const webSockets = new Set<Socket>();
  let happened = 0;

  const later = (millis: number, run: () => void) => {
    const timer = setTimeout(() => {
      pending.delete(timer);
      run();
    }, millis);
    pending.add(timer);
  };
  const server = createServer((client) => {
    if (isCut) return void client.resetAndDestroy();
    const upstream = connect(targetPort, "127.0.0.1");
    let met: Fault | null = null;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
    }
    client.on("close", () => {
      sockets.delete(client);
      webSockets.delete(client);
      // A request in flight arrives all the same.
      if (met?.kind !== "delay_request") upstream.destroy();
    });
    upstream.on("close", () => {
      sockets.delete(upstream);
      client.destroy();
    });
    client.on("data", (chunk) => {
      if (UPGRADE.test(chunk.toString("latin1"))) webSockets.add(client);
      if (!hasWebSockets && webSockets.has(client)) return void client.resetAndDestroy();
      if (fault?.texts.every((text) => chunk.includes(text))) {
        met = fault;
        fault = null;
        happened += 1;
      }
      if (met?.kind === "delay_request") later(met.millis, () => upstream.write(chunk));
      else upstream.write(chunk);
    });
    upstream.on("data", (given) => {
      const chunk = replaced === null ? given : withReplaced(given, replaced);
      // Later data on the same connection is not affected.
      if (met?.kind === "delay_request") met = null;
      if (met?.kind === "lose") client.resetAndDestroy();
      else if (met?.kind === "delay_reply") later(met.millis, () => client.write(chunk));
      else if (!client.destroyed) client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    loseReply: (texts) => {
      fault = { texts, kind: "lose", millis: 0 };
    },
    delayReply: (texts, millis) => {
      fault = { texts, kind: "delay_reply", millis };
    },
    delayRequest: (texts, millis) => {
      fault = { texts, kind: "delay_request", millis };
    },
    replaceInReplies: (from, to) => {
      replaced = [from, to];
    },
    cut: () => {
      isCut = true;
      breakAll();
    },
    cutWebSockets: () => {
      hasWebSockets = false;
      for (const socket of webSockets) socket.destroy();
    },
    mend: () => {
      isCut = false;
      hasWebSockets = true;
    },
    happened: () => happened,
    close: async () => {
      for (const timer of pending) clearTimeout(timer);
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Byte for byte, so that binary data is not changed. */
function withReplaced(chunk: Buffer, [from, to]: readonly [string, string]): Buffer {
  return Buffer.from(chunk.toString("latin1").replaceAll(from, to), "latin1");
}
