import { z } from "zod";
import type { PlaceCall } from "../../application/ports/carrier.ts";
import type { CallOfTheCarrier } from "../../domain/call/carrier-identity.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import type { Outcome } from "../callee/outcome.ts";
import { journalLines } from "./journal.ts";
import type { GivenEnd } from "./timeline.ts";

/** A call as read from the journal. */
export type CarrierRecord = {
  readonly call: PlaceCall;
  readonly carrierRef: string;
  readonly outcome: Outcome;
  readonly dialsBefore: number;
  readonly placedAt: number;
  /** null: it goes on, or ends by its timeline. */
  end: GivenEnd | null;
  /** Lines that the callee has said. */
  linesSaid: number;
  reported: boolean;
  recordingDeleted: boolean;
};

/** The form in the journal and in the answer of `GET /calls`. */
export const callSchema = z.object({
  callId: z.templateLiteral(["call_", z.string()]),
  from: z.templateLiteral(["+", z.string()]),
  to: z.templateLiteral(["+", z.string()]),
  at: z.templateLiteral([z.string(), "Z"]),
}) satisfies z.ZodType<CallOfTheCarrier>;

const lineSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("journal"), at: z.string(), id: z.string() }),
  z.object({
    kind: z.literal("dial"),
    at: z.string(),
    callId: z.string(),
    from: z.string(),
    to: z.string(),
    carrierCallId: z.string().nullable(),
    duplicate: z.boolean(),
    installation: z.string().optional(),
    dialsBefore: z.number().optional(),
    outcome: z.string().optional(),
    call: z.object({ callId: z.string(), to: z.string() }).loose().optional(),
  }),
  z.object({ kind: z.literal("hang_up"), at: z.string(), callId: z.string() }),
  z.object({
    kind: z.literal("ended"),
    at: z.string(),
    callId: z.string(),
    by: z.enum(["callee", "assistant", "transfer"]),
  }),
  z.object({ kind: z.literal("said"), at: z.string(), callId: z.string(), lines: z.int() }),
  z.object({ kind: z.literal("recording_deleted"), at: z.string(), callId: z.string() }),
  z.object({ kind: z.literal("told"), at: z.string(), callId: z.string() }),
]);

type Line = z.infer<typeof lineSchema>;

export type CarrierRecords = {
  /** Id of the journal; null: it has none yet. */
  readonly id: string | null;
  readonly calls: readonly CarrierRecord[];
  readonly dials: Map<PhoneNumber, number>;
};

/** What a restarted carrier needs: its calls, and how often each number was dialled. */
export async function carrierRecords(path: string, forgetEndedBefore: number): Promise<CarrierRecords> {
  const calls = new Map<string, CarrierRecord>();
  const dials = new Map<PhoneNumber, number>();
  let id: string | null = null;
  for await (const value of journalLines(path)) {
    const { success, data: line } = lineSchema.safeParse(value);
    if (!success) continue;
    if (line.kind === "journal") id ??= line.id;
    else readLine(line, calls, dials, forgetEndedBefore);
  }
  return { id, calls: [...calls.values()], dials };
}

function readLine(
  line: Exclude<Line, { kind: "journal" }>,
  calls: Map<string, CarrierRecord>,
  dials: Map<PhoneNumber, number>,
  forgetEndedBefore: number,
): void {
  const known = calls.get(line.callId);
  if (line.kind === "dial") readDial(line, calls, dials);
  else if (known === undefined) return;
  else if (line.kind === "hang_up") known.end ??= { atMillis: Date.parse(line.at), by: "we" };
  else if (line.kind === "ended") known.end ??= { atMillis: Date.parse(line.at), by: line.by };
  else if (line.kind === "recording_deleted") known.recordingDeleted = true;
  else if (line.kind === "said") known.linesSaid = line.lines;
  else if (Date.parse(line.at) < forgetEndedBefore) calls.delete(line.callId);
  else endReported(known, Date.parse(line.at));
}

/** A journal of an earlier release does not store who ended a talk. */
function endReported(known: CarrierRecord, atMillis: number): void {
  known.reported = true;
  known.end ??= { atMillis, by: "callee" };
}

function readDial(
  line: Extract<Line, { kind: "dial" }>,
  calls: Map<string, CarrierRecord>,
  dials: Map<PhoneNumber, number>,
): void {
  if (line.duplicate) return;
  const to = line.to as PhoneNumber;
  dials.set(to, (dials.get(to) ?? 0) + 1);
  if (line.call === undefined || line.carrierCallId === null) return;
  calls.set(line.callId, {
    call: line.call as unknown as PlaceCall,
    carrierRef: line.carrierCallId,
    outcome: line.outcome as Outcome,
    dialsBefore: line.dialsBefore ?? 0,
    placedAt: Date.parse(line.at),
    end: null,
    linesSaid: 0,
    reported: false,
    recordingDeleted: false,
  });
}

/** A dial request in the answer of `GET /journal` (docs/api.md §9). */
export type JournalEntry = {
  readonly at: string;
  readonly callId: CallId;
  readonly from: string;
  readonly to: string;
  readonly carrierCallId: string | null;
  readonly duplicate: boolean;
};

/** Every dial request that a carrier ever received, in order. */
export async function* journalEntries(path: string): AsyncGenerator<JournalEntry> {
  for await (const value of journalLines(path)) {
    const line = lineSchema.safeParse(value);
    if (!line.success || line.data.kind !== "dial") continue;
    const { at, callId, from, to, carrierCallId, duplicate } = line.data;
    yield { at, callId: callId as CallId, from, to, carrierCallId, duplicate };
  }
}

/** Accepted calls of an installation since then, each once. */
export async function callsOf(
  path: string,
  installation: string,
  since: Instant,
): Promise<readonly CallOfTheCarrier[]> {
  const calls: CallOfTheCarrier[] = [];
  for await (const value of journalLines(path)) {
    const line = lineSchema.safeParse(value);
    if (!line.success || line.data.kind !== "dial" || line.data.installation !== installation) continue;
    const { at, carrierCallId, duplicate, callId, from, to } = line.data;
    if (at < since || carrierCallId === null || duplicate) continue;
    calls.push(callSchema.parse({ callId, from, to, at }));
  }
  return calls;
}
