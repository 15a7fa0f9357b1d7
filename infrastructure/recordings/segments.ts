import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../application/ports/clock.ts";
import type {
  RecordingInSegment,
  RecordingMove,
  RecordingSegments,
  SegmentRecord,
} from "../../application/ports/recording-segments.ts";
import type { FoundRecording } from "../../application/ports/recordings.ts";
import { flushFolder, isMissing, openIfThere, withFile, writeAt } from "./durable-files.ts";
import { openSealed, readAt } from "./sealed-recording.ts";
import { bodyOf, erasedRecord, recordAt } from "./segment-records.ts";
import { type SegmentWriter, segmentWriter } from "./segment-writer.ts";

type Segments = RecordingSegments &
  Pick<SegmentWriter, "add" | "flush"> & {
    open(recording: RecordingInSegment, key: Uint8Array): Promise<FoundRecording>;
  };

/**
 * Small recordings, many in a file: a head with the call's id, then what would be a file of its own. Their
 * places are in the index (PostgreSQL).
 */
export function segmentFiles(directory: string, clock: Pick<Clock, "nowMillis">): Segments {
  const folder = join(directory, "segments");
  const pathOf = (segment: string) => join(folder, segment);
  const writer = segmentWriter(directory, folder, clock);
  return {
    add: writer.add,
    flush: writer.flush,
    async open({ callId, place }, key) {
      const file = await openIfThere(pathOf(place.segment), "r");
      if (file === null) return { kind: "missing" };
      const record = await recordAt(file, place.segment, place.at, place.at + place.length).catch(
        async (error: unknown) => {
          await file.close();
          throw error;
        },
      );
      if (record !== null && isOf(record, { callId, place }) && !record.isErased)
        return openSealed(file, bodyOf(record), callId, key);
      await file.close();
      return { kind: record?.isErased === true ? "missing" : "damaged" };
    },
    async erase(recordings) {
      for (const [segment, inSegment] of Map.groupBy(recordings, ({ place }) => place.segment))
        await eraseIn(pathOf(segment), inSegment);
    },
    list: () => listed(folder, writer),
    read: async (name, from) =>
      (await withFile(pathOf(name), "r", async (file) => {
        const { size } = await file.stat();
        const records: SegmentRecord[] = [];
        let end = from;
        for (;;) {
          const next = await recordAt(file, name, end, size);
          if (next === null) return { records, end };
          records.push(next);
          end += next.place.length;
        }
      })) ?? { records: [], end: from },
    async copy(records) {
      const moves: RecordingMove[] = [];
      for (const { callId, place: from } of records) {
        const { at, length } = bodyOf({ callId, place: from });
        const body = await withFile(pathOf(from.segment), "r", (file) => readAt(file, at, length));
        if (body?.length !== length) throw new Error(`the recording of ${callId} is cut in ${from.segment}`);
        moves.push({ callId, from, to: await writer.add(callId, [body]) });
      }
      await writer.flush();
      return moves;
    },
    async drop(name) {
      await rm(pathOf(name), { force: true });
      await flushFolder(folder);
    },
  };
}

async function listed(folder: string, writer: SegmentWriter): ReturnType<RecordingSegments["list"]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const found = await Promise.all(
    names.map(async (name) => {
      const state = writer.stateOf(name);
      const file = state === null ? null : await stat(join(folder, name)).catch(() => null);
      return file === null ? [] : [{ name, bytes: file.size, isClosed: state === "closed" }];
    }),
  );
  return found.flat();
}

async function eraseIn(path: string, recordings: readonly RecordingInSegment[]): Promise<void> {
  await withFile(path, "r+", async (file) => {
    const { size } = await file.stat();
    for (const recording of recordings) {
      const { segment, at } = recording.place;
      const record = await recordAt(file, segment, at, size);
      if (record !== null && isOf(record, recording)) await writeAt(file, erasedRecord(record), at);
    }
    await file.datasync();
  });
}

function isOf({ callId, place }: SegmentRecord, asked: RecordingInSegment): boolean {
  return callId === asked.callId && place.length === asked.place.length;
}
