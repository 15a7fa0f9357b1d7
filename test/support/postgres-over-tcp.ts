import net, { type AddressInfo } from "node:net";
import { inject } from "vitest";

export type PostgresOverTcp = {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  close(): Promise<void>;
};

/** The run's shared cluster listens on a file; this gives it a port of its own on loopback. */
export async function postgresOverTcp(): Promise<PostgresOverTcp> {
  const { host, port, user, password } = inject("postgres");
  const target = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const server = net.createServer((socket) => {
    const behind = net.connect(target);
    for (const [from, to] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
      from.pipe(to);
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    user,
    password,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
