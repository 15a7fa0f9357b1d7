import type { Server } from "node:http";
import { BlockList, isIPv6 } from "node:net";
import { countsPerKey } from "./counts-per-key.ts";

/** How many connections are open at once; one more is closed at once, unanswered (docs/api.md §9). */
export type ConnectionLimits = { readonly inAll: number; readonly ofAnAddress: number };

export const CONNECTION_LIMITS: ConnectionLimits = { inAll: 4_096, ofAnAddress: 512 };

/**
 * Many clients stand behind one proxy, and behind loopback: those addresses are not counted by themselves. The addresses of `X-Forwarded-For` are not
 * read: whatever it says, nobody gains or loses by it.
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

/** null: the address has no room left. What is answered is called at its end; again: the same. */
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
