import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A TCP connection on which a test says what it likes. */
export type RawConnection = {
  readonly socket: Socket;
  /** What has come so far. */
  readonly text: () => string;
  /** `performance.now()` at its end. */
  readonly closed: Promise<number>;
};

export async function rawConnection(url: string, first: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = "";
  socket.on("data", (data) => {
    text += data;
  });
  socket.on("error", () => undefined);
  const closed = new Promise<number>((resolve) => socket.once("close", () => resolve(performance.now())));
  await once(socket, "connect");
  socket.write(first);
  return { socket, text: () => text, closed };
}
