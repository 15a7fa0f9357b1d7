import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Api } from "../../api/api.ts";
import { buildServer } from "../../api/server.ts";
import { rawConnection } from "../support/raw-connection.ts";
import { throwingDeps } from "./support/inert-deps.ts";

const PATH = "/carrier/there/status";
const CHUNKED = "4\r\nabcd\r\n0\r\n\r\n";
/** What a proxy would take for the second request of the connection. */
const hidden = (connection: string) =>
  `POST ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\nContent-Length: 6\r\n\r\nhidden`;

let api: Api;
let url: string;
let taken: string[] = [];
beforeAll(async () => {
  const answer = async ({ rawBody }: { readonly rawBody: Uint8Array }) => {
    taken.push(Buffer.from(rawBody).toString());
    return { status: 200, contentType: null, body: "" };
  };
  api = buildServer(
    throwingDeps(() => new Error("not asked"), {
      requestEntrances: [{ method: "POST", path: PATH, answer }],
    }),
  );
  url = await api.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => api.close());
beforeEach(() => {
  taken = [];
});

/** The status lines of everything that comes back until the connection is closed. */
async function answers(request: string): Promise<readonly string[]> {
  const { text, closed } = await rawConnection(url, request + hidden("close"));
  await closed;
  return text().match(/^HTTP\/1\.1 \d+/gm) ?? [];
}

const request = (headers: string, { target = PATH, version = "1.1", body = CHUNKED } = {}) =>
  `POST ${target} HTTP/${version}\r\nHost: x\r\n${headers}\r\n\r\n${body}`;

describe("a request whose end is in doubt is 400, and nothing after it is taken:", () => {
  const doubtful: Readonly<Record<string, string>> = {
    "identity before chunked": request("Transfer-Encoding: identity, chunked"),
    "identity after chunked": request("Transfer-Encoding: chunked, identity"),
    "identity and chunked in two fields": request(
      "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
    ),
    "chunked and identity in two fields": request(
      "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
    ),
    "identity alone": request("Transfer-Encoding: identity"),
    "another coding before chunked": request("Transfer-Encoding: gzip, chunked"),
    "an empty coding before chunked": request("Transfer-Encoding: , chunked"),
    "chunked twice": request("Transfer-Encoding: chunked, chunked"),
    "chunked in two fields": request("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
    "an unknown coding": request("Transfer-Encoding: xchunked"),
    "a length after chunked": request("Transfer-Encoding: chunked\r\nContent-Length: 4"),
    "a length before chunked": request("Content-Length: 4\r\nTransfer-Encoding: chunked"),
    "a length beside identity": request("Content-Length: 4\r\nTransfer-Encoding: identity", { body: "abcd" }),
    "a length twice": request("Content-Length: 4\r\nContent-Length: 4", { body: "abcd" }),
    "two lengths": request("Content-Length: 4\r\nContent-Length: 5", { body: "abcd" }),
    "a list of lengths": request("Content-Length: 4, 4", { body: "abcd" }),
    "a length with a sign": request("Content-Length: +4", { body: "abcd" }),
    "a space before the colon": request("Transfer-Encoding : chunked"),
    "a folded field": request("Transfer-Encoding:\r\n chunked"),
    "a bare line feed": request("X: y\nTransfer-Encoding: chunked"),
    "chunks ended by bare line feeds": request("Transfer-Encoding: chunked", { body: "4\nabcd\n0\n\n" }),
    "a chunk that is longer than it says": request("Transfer-Encoding: chunked", {
      body: "4\r\nabcdef\r\n0\r\n\r\n",
    }),
    "chunks in HTTP/1.0": request("Transfer-Encoding: chunked\r\nConnection: keep-alive", { version: "1.0" }),
    "at a target that cannot be read": request("Transfer-Encoding: identity, chunked", { target: "/%zz" }),
    "at a target that nobody has": request("Transfer-Encoding: identity, chunked", { target: "/nowhere" }),
    "under /api/v1": request("Transfer-Encoding: identity, chunked", { target: "/api/v1/calls" }),
  };
  it.each(Object.entries(doubtful))("%s", async (_name, sent) => {
    expect(await answers(sent)).toEqual(["HTTP/1.1 400"]);
    expect(taken).toEqual([]);
  });
});

it("a body in chunks is taken, however the coding is written, and so is the request after it", async () => {
  for (const coding of ["chunked", "CHUNKED", " chunked "]) {
    const last = request("Content-Length: 2\r\nConnection: close", { body: "ok" });
    const { text, closed } = await rawConnection(
      url,
      request(`Transfer-Encoding: ${coding}`) + hidden("keep-alive") + last,
    );
    await closed;
    expect(text().match(/^HTTP\/1\.1 \d+/gm)).toEqual(Array(3).fill("HTTP/1.1 200"));
  }
  expect(taken).toEqual(Array(3).fill(["abcd", "hidden", "ok"]).flat());
});
