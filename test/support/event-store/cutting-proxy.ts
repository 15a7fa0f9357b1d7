import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

export type CuttingProxy = {
  readonly connection: pg.ClientConfig;
  /**
   * From here on the server's next answer to each connection is dropped and the connection reset; the
   * request was executed.
   */
  readonly cutReplies: (cutting: boolean) => void;
  readonly close: () => Promise<void>;
};

/** A proxy between a client and PostgreSQL on its own socket. */
export async function startCuttingProxy(connectionString: string): Promise<CuttingProxy> {
  // The password is a hidden field, which a spread would lose.
  const { host, port, user, database, password } = new pg.Client(connectionString);
  const folder = mkdtempSync(join(tmpdir(), "ringfold-proxy-"));
  const sockets = new Set<Socket>();
  let cutting = false;
  const server = createServer((client) => {
    const upstream = connect(join(host, `.s.PGSQL.${port}`));
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => [client, upstream].forEach((each) => void each.destroy()));
    }
    client.pipe(upstream);
    upstream.on("data", (chunk) => {
      if (cutting) client.destroy();
      else client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(join(folder, ".s.PGSQL.5432"), resolve));
  return {
    connection: {
      host: folder,
      port: 5432,
      ...(user && { user }),
      ...(database && { database }),
      ...(password && { password }),
    },
    cutReplies: (now) => {
      cutting = now;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
