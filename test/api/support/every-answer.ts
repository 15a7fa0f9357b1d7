import { eventually } from "../../../simulation/drills/eventually.ts";
import type { ApiUser } from "./api-user.ts";
import type { Operation } from "./document.ts";

/** Ids by the collection in whose paths they stand: `calls`, `campaigns`, … */
export type Ids = Readonly<Record<string, readonly string[]>>;

/** About no call: configuration, and whoever is signed in to the dashboard. */
const OF_NO_CALL = [
  ...["/api/v1/squads/{id}", "/api/v1/tools/{toolId}", "/api/v1/connections/{id}"],
  "/api/v1/session",
];

/**
 * Everything that can be asked for by the document, with each of the ids, and also as it was at `at`; throws
 * at a route whose ids are not given.
 */
function pathsOf(operations: readonly Operation[], ids: Ids, at: string): readonly string[] {
  const found: string[] = [];
  for (const { method, path, parameters } of operations) {
    if (method !== "GET" || OF_NO_CALL.includes(path)) continue;
    let filled = [path];
    for (const [, collection = "", parameter = ""] of path.matchAll(/([\w-]+)\/\{(\w+)\}/g)) {
      const known = ids[collection];
      if (known === undefined) throw new Error(`${path}: which ${collection}?`);
      filled = filled.flatMap((each) =>
        known.map((id) => each.replace(`{${parameter}}`, encodeURIComponent(id))),
      );
    }
    const takes = (name: string) => parameters.some((each) => each.in === "query" && each.name === name);
    const query = [...(takes("q") ? ["q=Hello"] : []), ...(takes("limit") ? ["limit=200"] : [])].join("&");
    found.push(...filled.map((each) => `${each}?${query}`));
    if (takes("at")) found.push(...filled.map((each) => `${each}?${query}&at=${encodeURIComponent(at)}`));
  }
  return found;
}

type Given = { readonly path: string; readonly status: number; readonly text: string };

/**
 * The answer of every GET of the document, and all events from the first as a stream (`path`:
 * "stream of events").
 */
export async function everyAnswer(user: ApiUser, ids: Ids, at: string): Promise<readonly Given[]> {
  const given: Given[] = [];
  for (const path of pathsOf(user.document.operations, ids, at)) {
    const { status, text } = await user.send("GET", path);
    given.push({ path: path.replace(/\?.*/, ""), status, text });
  }
  given.push({ path: "stream of events", status: 200, text: await streamed(user) });
  return given;
}

/** From the first event to the one that is the newest now. */
async function streamed(user: ApiUser): Promise<string> {
  const newest = await user.send("GET", "/api/v1/events?order=desc&limit=1");
  const last = `id: ${newest.body.data[0].position}\n`;
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${user.key}`, accept: "text/event-stream" };
  const { body } = await fetch(`${user.url}/api/v1/events?after=0`, { headers, signal: stop.signal });
  if (body === null) throw new Error("The stream of events has no body");
  let text = "";
  const reading = (async () => {
    for await (const part of body.pipeThrough(new TextDecoderStream())) text += part;
  })();
  await eventually("the newest event in the stream", () => text.includes(last));
  stop.abort();
  await reading.catch(() => undefined);
  return text;
}
