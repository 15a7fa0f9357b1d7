import { Readable } from "node:stream";
import type { Api } from "./api.ts";

/**
 * HEAD answers on every GET route as GET without its body: the framework adds the routes. Here what a GET would go on sending (events that are
 * followed, a file) ends before its first byte, so that nothing is left running for a client that is not to get it.
 */
export function registerHead(api: Api): void {
  api.addHook("onSend", async (request, _reply, payload) => {
    if (request.method === "HEAD" && payload instanceof Readable) payload.destroy();
    return payload;
  });
}
