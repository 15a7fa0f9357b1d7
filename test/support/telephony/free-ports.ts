import { createSocket } from "node:dgram";

/** Free now, on loopback. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket("udp4");
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

/**
 * A range for RTP that no other test of this run uses: each worker has one of its own, below the ports that
 * the system gives out.
 */
export function rtpRange(size: number): { readonly first: number; readonly last: number } {
  const worker = Number(process.env["VITEST_POOL_ID"] ?? "1") % 4;
  rtpGiven = (rtpGiven + size) % 3_000;
  const first = 18_000 + worker * 3_400 + rtpGiven;
  return { first, last: first + size - 1 };
}
let rtpGiven = 0;
