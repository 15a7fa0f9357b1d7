import type { Dispatcher, Pool } from "undici";
import type { Clock } from "../../application/ports/clock.ts";
import { journalSchema } from "./carrier-schemas.ts";

export const GIVE_UP_MILLIS = 10_000;
/** Instance of a carrier of an earlier release. */
export const UNNAMED_JOURNAL = "journal";

/** Connection to one carrier program. */
export type Line = {
  readonly pool: Pool;
  readonly clock: Clock;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly installation: string;
  /** The journal id in the carrier's last answer. */
  journal: string | null;
};
type Answer = { readonly status: number; readonly body: unknown };
type Request = {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly body?: string | AsyncIterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly giveUpMillis?: number;
};

export async function request(line: Line, { method, path, body, ...more }: Request): Promise<Answer> {
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const headers = { ...type, ...line.headers, ...more.headers };
  const signal = AbortSignal.timeout(more.giveUpMillis ?? GIVE_UP_MILLIS);
  const sent = { method, path, headers, body: body ?? null, signal };
  const answer = await line.pool.request(sent as Dispatcher.RequestOptions);
  const text = await answer.body.text();
  return { status: answer.statusCode, body: text === "" ? null : JSON.parse(text) };
}

/** Read again with each registration. A dial for another journal is refused by the carrier. */
export async function journalOf(line: Line): Promise<string | null> {
  return line.journal ?? (await askJournal(line));
}

export async function askJournal(line: Line, giveUpMillis = GIVE_UP_MILLIS): Promise<string | null> {
  try {
    const { status, body } = await request(line, { method: "GET", path: "/health", giveUpMillis });
    line.journal = status === 200 ? journalIn(body) : null;
  } catch {
    line.journal = null;
  }
  return line.journal;
}

/** A carrier of an earlier release has a journal without an id. */
export function journalIn(body: unknown): string {
  const named = journalSchema.safeParse(body);
  return named.success ? named.data.journal : UNNAMED_JOURNAL;
}

export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
