import { z } from "zod";
import type { CallsSince, PlaceCall } from "../../../../application/ports/carrier.ts";
import type { Clock } from "../../../../application/ports/clock.ts";
import type { CallOfTheCarrier } from "../../../../domain/call/carrier-identity.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../../domain/shared/instant.ts";
import type { AriClient } from "../ari/ari-client.ts";
import { readVariable, setVariable } from "../ari/ari-variables.ts";
import { endedName, noteName } from "./note.ts";

/** A failed write leaves a hole; so many holes in a row mean the end of the journal. */
const MOST_HOLES = 8;
const CLEARED_AT_ONCE = 20;
/** How long Asterisk remembers a dial. */
export const KEPT_MILLIS = 24 * 60 * 60_000;

/**
 * The dials of this installation, kept in Asterisk's memory to detect a log that was
 * restored to an older state.
 */
export interface DialJournal {
  /** A process continues after its earlier entries. False: Asterisk cannot be reached. */
  begin(): Promise<boolean>;
  /** Call it before the dial. False: it was not written, so nobody may be dialled. */
  write(call: Pick<PlaceCall, "callId" | "from" | "to">): Promise<boolean>;
  callsSince(since: Instant): Promise<CallsSince>;
  /** Removes notes and entries of dials older than `KEPT_MILLIS`, some at a time. */
  clear(): Promise<void>;
}

export type DialJournalDeps = {
  readonly ari: Pick<AriClient, "request">;
  readonly clock: Pick<Clock, "nowMillis">;
  /** ARI application of this process, and the common prefix of those of the installation. */
  readonly app: string;
  readonly family: string;
};

/** An entry, as it was written. */
const callOfTheCarrier = z.object({
  callId: z.templateLiteral(["call_", z.string()]),
  from: z.templateLiteral(["+", z.string()]),
  to: z.templateLiteral(["+", z.string()]),
  at: z.templateLiteral([z.string(), "Z"]),
}) satisfies z.ZodType<CallOfTheCarrier>;

const FORM = /^(\d+) (call_\S+) (\+\d+) (\+\d+)$/;

export function createDialJournal({ ari, clock, app, family }: DialJournalDeps): DialJournal {
  let next = 1;
  let first = 1;
  const read = (writer: string, number: number) => readEntry(ari, writer, number);
  return {
    begin: async () => {
      const writers = await readWriters(ari, family);
      if (writers === null) return false;
      if (!writers.includes(app)) await setVariable(ari, writersName(family), [...writers, app].join(" "));
      first = await firstOf(ari, app);
      next = (await lastOf(ari, app, first)) + 1;
      return true;
    },
    write: async ({ callId, from, to }) => {
      const number = next;
      next += 1;
      return setVariable(ari, entryName(app, number), `${clock.nowMillis()} ${callId} ${from} ${to}`);
    },
    callsSince: async (since) => {
      const writers = await readWriters(ari, family);
      if (writers === null) return { kind: "unavailable", cause: "Asterisk cannot be asked" };
      const calls: CallOfTheCarrier[] = [];
      for (const writer of writers) calls.push(...(await callsOf(ari, writer, millisOf(since))));
      return { kind: "calls", calls: calls.toSorted((a, b) => (a.at < b.at ? -1 : 1)) };
    },
    clear: async () => {
      const before = clock.nowMillis() - KEPT_MILLIS;
      for (let cleared = 0; cleared < CLEARED_AT_ONCE && first < next; cleared += 1) {
        const entry = await read(app, first);
        if (entry === null) return;
        if (entry !== "none") {
          if (millisOf(entry.at) >= before) return;
          await setVariable(ari, noteName(entry.callId), "");
          await setVariable(ari, endedName(entry.callId), "");
          await setVariable(ari, entryName(app, first), "");
        }
        first += 1;
        await setVariable(ari, firstName(app), String(first));
      }
    },
  };
}

function entryName(writer: string, number: number): string {
  return `RF_DIAL_${writer}_${number}`;
}
function firstName(writer: string): string {
  return `RF_FIRST_${writer}`;
}
function writersName(family: string): string {
  return `RF_WORKERS_${family}`;
}

async function readWriters(ari: DialJournalDeps["ari"], family: string): Promise<readonly string[] | null> {
  const text = await readVariable(ari, writersName(family));
  return text === null ? null : text.split(" ").filter((writer) => writer.startsWith(family));
}

async function firstOf(ari: DialJournalDeps["ari"], writer: string): Promise<number> {
  return Math.max(1, Number(await readVariable(ari, firstName(writer))) || 1);
}

/** null: Asterisk cannot be reached. */
async function readEntry(
  ari: DialJournalDeps["ari"],
  writer: string,
  number: number,
): Promise<CallOfTheCarrier | "none" | null> {
  const text = await readVariable(ari, entryName(writer, number));
  if (text === null) return null;
  const [, at, callId, from, to] = FORM.exec(text) ?? [];
  const entry = callOfTheCarrier.safeParse({ at: instantFromMillis(Number(at ?? 0)), callId, from, to });
  return entry.success ? entry.data : "none";
}

/**
 * The number of the last entry, `first - 1` if there is none. Found by doubling and bisection, because days
 * of dials may be in between.
 */
async function lastOf(ari: DialJournalDeps["ari"], writer: string, first: number): Promise<number> {
  const isBeyond = async (number: number): Promise<boolean> => {
    for (let hole = 0; hole < MOST_HOLES; hole += 1)
      if (isEntry(await readEntry(ari, writer, number + hole))) return false;
    return true;
  };
  let [low, step] = [first, 1];
  while (!(await isBeyond(low + step))) [low, step] = [low + step, step * 2];
  let high = low + step;
  if (low === first && (await isBeyond(first))) return first - 1;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await isBeyond(middle)) high = middle;
    else low = middle;
  }
  return low + MOST_HOLES - 1;
}

function isEntry(entry: CallOfTheCarrier | "none" | null): entry is CallOfTheCarrier {
  return entry !== null && entry !== "none";
}

async function callsOf(
  ari: DialJournalDeps["ari"],
  writer: string,
  sinceMillis: number,
): Promise<readonly CallOfTheCarrier[]> {
  const calls: CallOfTheCarrier[] = [];
  const first = await firstOf(ari, writer);
  for (let number = await lastOf(ari, writer, first); number >= first; number -= 1) {
    const entry = await readEntry(ari, writer, number);
    if (!isEntry(entry)) continue;
    if (millisOf(entry.at) < sinceMillis) break;
    calls.push(entry);
  }
  return calls;
}
