import { type Readable, Transform } from "node:stream";

/**
 * Reads on, into nothing, when a stream of the client is destroyed before its call has ended. A call that the server ends while nobody reads it
 * never ends here: the client would keep it for ever, and its `dispose` would wait for it.
 */
export function discardRest(stream: object): void {
  if (stream instanceof Transform) stream.on("unpipe", (call: Readable) => call.resume());
}
