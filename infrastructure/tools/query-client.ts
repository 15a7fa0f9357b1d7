import net from "node:net";
import pg from "pg";

/** A client with access to its socket: received bytes can be counted, and it can be closed at any time. */
export class QueryClient extends pg.Client {
  readonly socket: net.Socket;

  constructor(config?: string | pg.ClientConfig) {
    const socket = new net.Socket();
    const { password, ...rest } = typeof config === "object" ? config : {};
    // A pool hides the password in its options: copying them all would leave it out.
    super({ ...rest, ...(password === undefined ? {} : { password }), stream: () => socket });
    this.socket = socket;
  }
}

export type LentClient = {
  readonly client: Pick<pg.ClientBase, "query">;
  /** Bytes received on this connection so far. */
  readonly bytesRead: () => number;
  /** Closes the connection at once; a repeat, or a call after it was released, does nothing. */
  readonly destroy: () => void;
  readonly giveBack: () => void;
};

/** A client of a pool whose `Client` is `QueryClient`. */
export function lentClient(client: pg.PoolClient): LentClient {
  if (!(client instanceof QueryClient)) throw new Error("a client of another pool");
  const { socket } = client;
  let isLent = true;
  const release = (broken: boolean) => {
    if (!isLent) return;
    isLent = false;
    if (broken) socket.destroy();
    client.release(broken);
  };
  return {
    client,
    bytesRead: () => socket.bytesRead,
    destroy: () => release(true),
    giveBack: () => release(false),
  };
}
