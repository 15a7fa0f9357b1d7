import { type Fill, filled, filledJson } from "../../domain/tool/placeholders.ts";
import { expandUrl } from "../../domain/tool/request-url.ts";
import { type ApiRequestConfig, takesBody } from "../../domain/tool/tool-config.ts";
import type { GuardedRequest } from "../http/guarded-exchange.ts";

export type BuiltRequest =
  | { readonly ok: true; readonly request: GuardedRequest; readonly body: string | null }
  | { readonly ok: false; readonly reason: string };

const SECRET = /\{\{\s*secrets\.([A-Za-z0-9_]{1,64})\s*\}\}/gi;
/** Allowed in a header: anything else would end the header or the request. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** These headers belong to the connection. */
const OF_THE_CONNECTION = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Names of the secrets that the headers refer to. */
export function secretsIn({ headers }: Pick<ApiRequestConfig, "headers">): readonly string[] {
  const texts = Object.values(headers);
  return [...new Set(texts.flatMap((text) => [...text.matchAll(SECRET)].map((match) => match[1] ?? "")))];
}

/** The complete request. */
export function buildRequest(
  config: ApiRequestConfig,
  fill: Fill,
  secrets: ReadonlyMap<string, string>,
  idempotencyKey: string,
): BuiltRequest {
  const expanded = expandUrl(config.url, fill);
  if (!expanded.ok) {
    const what = expanded.name === null ? "The address" : `The value of "${expanded.name}" in the address`;
    return { ok: false, reason: `${what} ${expanded.reason}` };
  }
  const missing = secretsIn(config).find((name) => !secrets.has(name));
  if (missing !== undefined) return { ok: false, reason: `There is no secret ${missing}` };
  const body =
    config.body !== undefined && takesBody(config.method)
      ? JSON.stringify(filledJson(config.body, fill))
      : null;
  const headers = headersOf(config, secrets, idempotencyKey, body !== null);
  const wrong = Object.entries(headers).find(([, value]) => !HEADER_VALUE.test(value));
  if (wrong !== undefined) return { ok: false, reason: `The header ${wrong[0]} cannot hold its value` };
  const url = withQuery(expanded.url, config.query, fill);
  const bytes = body === null ? null : Buffer.from(body);
  return { ok: true, request: { url, method: config.method, headers, body: bytes }, body };
}

function headersOf(
  config: ApiRequestConfig,
  secrets: ReadonlyMap<string, string>,
  idempotencyKey: string,
  hasBody: boolean,
): Readonly<Record<string, string>> {
  const given = Object.entries(config.headers).flatMap(([name, value]): [string, string][] => {
    const lower = name.toLowerCase();
    if (OF_THE_CONNECTION.has(lower)) return [];
    return [[lower, value.replaceAll(SECRET, (_whole, secret: string) => secrets.get(secret) ?? "")]];
  });
  return {
    "user-agent": "ringfold",
    accept: "*/*",
    ...(hasBody ? { "content-type": "application/json" } : {}),
    ...Object.fromEntries(given),
    "accept-encoding": "identity",
    "idempotency-key": idempotencyKey,
  };
}

function withQuery(url: URL, query: Readonly<Record<string, string>>, fill: Fill): string {
  const values = Object.entries(query).map(([name, value]): [string, string] => [name, filled(value, fill)]);
  const added = new URLSearchParams(values).toString();
  const search = [url.search.slice(1), added].filter((part) => part !== "").join("&");
  return `${url.origin}${url.pathname}${search === "" ? "" : `?${search}`}`;
}
