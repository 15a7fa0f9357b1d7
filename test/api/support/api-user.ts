import { type Document, mismatch, type Operation } from "./document.ts";

/** What came over the wire, to be looked into by name; what is not there is undefined. */
export type Wire = ReturnType<typeof JSON.parse>;

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Wire;
  readonly text: string;
};

export type SendOptions = {
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Uint8Array<ArrayBuffer> | FormData;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * One key's way into the service. Every answer is held against the document: its status is listed there,
 * and its body matches.
 */
export type ApiUser = {
  readonly key: string;
  readonly url: string;
  readonly document: Document;
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  /** `operationId status` of every answer so far. */
  readonly seen: ReadonlySet<string>;
};

const seen = new Set<string>();

export function apiUser({
  url,
  document,
  key,
}: {
  readonly url: string;
  readonly document: Document;
  readonly key: string;
}): ApiUser {
  return {
    key,
    url,
    document,
    seen,
    send: async (method, path, { body, raw, headers = {} } = {}) => {
      const payload = raw ?? (body === undefined ? null : JSON.stringify(body));
      const response = await fetch(`${url}${path}`, {
        method,
        body: payload,
        headers: {
          ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
      });
      const text = await response.text();
      const answer = { status: response.status, headers: response.headers, text, body: asJson(text) };
      check(document, method, path, answer);
      return answer;
    },
  };
}

function asJson(text: string): Wire {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function check(document: Document, method: string, path: string, { status, headers, body }: Answer): void {
  const operation = operationOf(document, method, path);
  if (operation === null) return;
  const schema = operation.answers.get(status);
  if (schema === undefined)
    throw new Error(`${operation.operationId} answers ${status}, which it does not list`);
  seen.add(`${operation.operationId} ${status}`);
  const isJson = headers.get("content-type")?.startsWith("text/csv") !== true;
  const problem = schema === null || !isJson ? null : mismatch(document, schema, body);
  if (problem !== null)
    throw new Error(`${operation.operationId} ${status}: ${problem}\n${JSON.stringify(body)}`);
}

/** The operation of a real path; a literal segment wins over a parameter. */
export function operationOf(document: Document, method: string, path: string): Operation | null {
  const [pathname = ""] = path.split("?", 1);
  const segments = pathname.split("/");
  const fits = document.operations.filter(
    (operation) => operation.method === method && matches(operation.path.split("/"), segments),
  );
  return fits.toSorted((a, b) => parameters(a.path) - parameters(b.path))[0] ?? null;
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => part.startsWith("{") || part === segments[index])
  );
}

function parameters(path: string): number {
  return path.split("{").length;
}
