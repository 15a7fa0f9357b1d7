import { randomBytes } from "node:crypto";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../../application/ports/clock.ts";
import type { RecordingPlace } from "../../application/ports/recordings.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import { createFile, flushFolder, writeAt } from "./durable-files.ts";
import { recordHead } from "./segment-records.ts";

const MIB = 1024 * 1024;
/** A segment with so many bytes, or that is so old, gets no more. */
const FULL_BYTES = 64 * MIB;
const DAY_MILLIS = 86_400_000;
/** So much is held in memory at the most before it is written. */
const HELD_BYTES = 8 * MIB;
/** A day in which a segment is written, and a day in which the index is told of it. */
const CLOSED_AFTER_MILLIS = 2 * DAY_MILLIS;
const NAME = /^([0-9a-z]+)-([0-9a-f]{12})-\d+\.segment$/;

/** One that is being written. What comes after `written` bytes is in memory. */
type Segment = {
  readonly name: string;
  readonly createdMillis: number;
  parts: Buffer[];
  end: number;
  written: number;
};

export type SegmentWriter = ReturnType<typeof segmentWriter>;

/**
 * Appends to segments in a folder of `directory`, of which no other process appends to the same. One whose
 * write failed gets no more, because nobody knows what of it is on the disk.
 */
export function segmentWriter(directory: string, folder: string, clock: Pick<Clock, "nowMillis">) {
  const writer = randomBytes(6).toString("hex");
  let count = 0;
  let current: Segment | null = null;
  let failure: { readonly error: unknown } | null = null;
  let writing = Promise.resolve();

  const begin = (): Segment => {
    const createdMillis = clock.nowMillis();
    count += 1;
    const name = `${createdMillis.toString(36)}-${writer}-${count}.segment`;
    return { name, createdMillis, parts: [], end: 0, written: 0 };
  };
  const writeHeld = async (): Promise<void> => {
    const segment = current;
    if (segment === null || segment.parts.length === 0) return;
    const { parts, written, end } = segment;
    segment.parts = [];
    try {
      await append(directory, join(folder, segment.name), written, Buffer.concat(parts));
      segment.written = end;
    } catch (error) {
      failure ??= { error };
      if (current === segment) current = null;
    }
  };
  const writeInTurn = (): Promise<void> => {
    writing = writing.then(writeHeld);
    return writing;
  };

  return {
    /** Where it will stand when it is written. */
    async add(callId: CallId, body: readonly Buffer[]): Promise<RecordingPlace> {
      if (current !== null && current.parts.length === 0 && isOver(current, clock.nowMillis()))
        current = null;
      current ??= begin();
      const head = recordHead(callId, bytesOf(body));
      const place = { segment: current.name, at: current.end, length: head.length + bytesOf(body) };
      current.parts.push(head, ...body);
      current.end += place.length;
      if (current.end - current.written >= HELD_BYTES) await writeInTurn();
      return place;
    },
    /** Rejects if anything that was added since the last flush is not on the disk. */
    async flush(): Promise<void> {
      await writeInTurn();
      const failed = failure;
      failure = null;
      if (failed !== null) throw failed.error;
    },
    /** null: no name of a segment. Closed: who wrote to it does not any more, and has told the index. */
    stateOf: (name: string): "open" | "closed" | null =>
      stateOf(name, name !== current?.name ? writer : null, clock.nowMillis()),
  };
}

function isOver({ end, createdMillis }: Segment, nowMillis: number): boolean {
  const age = nowMillis - createdMillis;
  return end >= FULL_BYTES || age >= DAY_MILLIS || age < 0;
}

/** Those of the writer `closedOf` are closed, however young they are. */
function stateOf(name: string, closedOf: string | null, nowMillis: number): "open" | "closed" | null {
  const [, created, by] = NAME.exec(name) ?? [];
  if (created === undefined) return null;
  const age = nowMillis - Number.parseInt(created, 36);
  return by === closedOf || age >= CLOSED_AFTER_MILLIS ? "closed" : "open";
}

async function append(directory: string, path: string, position: number, bytes: Buffer): Promise<void> {
  const file = position === 0 ? await createFile(path, directory) : await open(path, "r+");
  try {
    await writeAt(file, bytes, position);
    await file.datasync();
  } finally {
    await file.close();
  }
  if (position === 0) await flushFolder(dirname(path));
}

function bytesOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
