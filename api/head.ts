import { Readable } from "node:stream";
import type { Api } from "./api.ts";

/**
 * HEAD answers on every GET route as GET without its body: the framework adds the routes. Streams that GET
 * would send (events, a file) end here before their first byte, so that nothing is left running.
 */
export function registerHead(api: Api): void {
  api.addHook("onSend", async (request, _reply, payload) => {
    if (request.method === "HEAD" && payload instanceof Readable) payload.destroy();
    return payload;
  });
}
