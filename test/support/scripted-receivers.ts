import type { GuardedRequest, GuardedResult } from "../../infrastructure/http/guarded-exchange.ts";

export type ReceivedRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Ends the exchange; an answer by status, or any other end. */
  readonly answer: (end: number | Blocked, headers?: Record<string, string>) => void;
};

type Blocked = { readonly kind: "blocked"; readonly reason: string };

export type ScriptedReceivers = {
  send(request: GuardedRequest): Promise<GuardedResult>;
  /** Every request that ever came, in order. */
  readonly requests: ReceivedRequest[];
  /** Those without an answer yet. */
  open(): ReceivedRequest[];
  /** From now on every request of a URL is answered so at once; null: by hand. */
  always(url: string, status: number | null, headers?: Record<string, string>): void;
};

/** The far end of the guarded client for tests of the loop: answers when and how a test says. */
export function scriptedReceivers(): ScriptedReceivers {
  const requests: ReceivedRequest[] = [];
  const answered = new Set<ReceivedRequest>();
  const standing = new Map<string, { status: number; headers: Record<string, string> }>();
  return {
    requests,
    open: () => requests.filter((request) => !answered.has(request)),
    always(url, status, headers = {}) {
      if (status === null) standing.delete(url);
      else standing.set(url, { status, headers });
    },
    send: (sent) =>
      new Promise((resolve) => {
        const request: ReceivedRequest = {
          url: sent.url,
          headers: Object.fromEntries(
            Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), value]),
          ),
          body: Buffer.from(sent.body ?? []).toString(),
          answer: (end, headers = {}) => {
            answered.add(request);
            resolve(resultOf(end, headers));
          },
        };
        requests.push(request);
        const fixed = standing.get(sent.url);
        if (fixed !== undefined) request.answer(fixed.status, fixed.headers);
      }),
  };
}

function resultOf(end: number | Blocked, headers: Record<string, string>): GuardedResult {
  const times = { dns: null, connect: null, tls: null, firstByte: 1, total: 2 };
  const seen = { times, remoteAddress: "127.0.0.1", reused: true };
  if (typeof end !== "number") return { ...seen, ...end };
  return { ...seen, kind: "answered", status: end, headers, body: Buffer.from("ok"), complete: true };
}
