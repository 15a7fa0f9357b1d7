import { type Readable, Transform } from "node:stream";

/**
 * Reads and discards the rest when a stream of the client is destroyed before its call has ended. If
 * nobody reads, a call that the server ends never ends here: the client keeps it for ever, and
 * `dispose` waits for it.
 */
export function discardRest(stream: object): void {
  if (stream instanceof Transform) stream.on("unpipe", (call: Readable) => call.resume());
}
