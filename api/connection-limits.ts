import type { Server } from "node:http";
import { BlockList, isIPv6 } from "node:net";
import { countsPerKey } from "./counts-per-key.ts";

/** The most open connections; one more is closed at once, unanswered (docs/api.md §9). */
export type ConnectionLimits = { readonly inAll: number; readonly ofAnAddress: number };

export const CONNECTION_LIMITS: ConnectionLimits = { inAll: 4_096, ofAnAddress: 512 };

/**
 * Many clients are behind one proxy, and behind loopback: those addresses are not counted. `X-Forwarded-For`
 * is not read, because any client can set it.
 */
export function limitConnections(
  server: Server,
  trustedProxies: readonly string[],
  limits: ConnectionLimits,
): void {
  const room = roomForAddresses(trustedProxies, limits.ofAnAddress);
  server.maxConnections = limits.inAll;
  server.on("connection", (socket) => {
    const leave = room.enter(socket.remoteAddress ?? "");
    if (leave === null) socket.destroy();
    else socket.once("close", leave);
  });
}

/** null: the address is at its limit. Call the returned function at the end; a repeat does nothing. */
export function roomForAddresses(trustedProxies: readonly string[], most: number) {
  const uncounted = new BlockList();
  for (const range of ["127.0.0.0/8", "::1/128", ...trustedProxies]) addRange(uncounted, range);
  const enter = countsPerKey<string>(most);
  return {
    enter: (address: string): (() => void) | null => {
      if (address === "" || uncounted.check(address, isIPv6(address) ? "ipv6" : "ipv4"))
        return () => undefined;
      return enter(address);
    },
  };
}

function addRange(list: BlockList, range: string): void {
  const [address = "", bits = ""] = range.split("/");
  list.addSubnet(address, Number(bits), isIPv6(address) ? "ipv6" : "ipv4");
}
