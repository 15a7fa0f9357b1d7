import type { CallId } from "../../domain/shared/ids.ts";
import type { StopSignal } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { RecordingSegments, SegmentIndex, SegmentRecord } from "../ports/recording-segments.ts";
import type { RecordingCopy, RecordingPlace, RecordingTask } from "../ports/recordings.ts";
import type { SubjectKeys } from "../ports/subject-keys.ts";

export type SegmentUpkeepDeps = {
  readonly segmentIndex: SegmentIndex;
  readonly segments: RecordingSegments;
  readonly keys: SubjectKeys;
  readonly logger: Logger;
};

/** Recordings in segments of which no row knows yet. */
export type UnknownRecordings = Map<CallId, RecordingPlace>;

/** Records whose rows are asked for at once. */
const PAGE = 1_000;
/** A segment of whose bytes so much is erased is given up. */
const ERASED_PART = 0.5;
/** A row that says this of a record has nothing to do with it, and could not get it back. */
const KNOWS_NO_COPY: readonly RecordingCopy[] = ["expected", "absent", "refused"];

/**
 * Takes into the index what stands in segments and the index does not know, because a process died before it
 * told, or the database was restored to an older state. What was erased meanwhile is overwritten. Returns
 * what has no row: the log may bring it later.
 */
export async function indexSegments(deps: SegmentUpkeepDeps): Promise<UnknownRecordings> {
  const { segmentIndex, segments } = deps;
  const unknown: UnknownRecordings = new Map();
  const indexed = await segmentIndex.indexed();
  const all = await segments.list();
  const present = all.map(({ name }) => name);
  for (const { name, bytes } of all) {
    const from = indexed.get(name) ?? 0;
    if (bytes <= from) continue;
    const { records, end } = await segments.read(name, from);
    const left: SegmentRecord[] = [];
    for (const page of pagesOf(records.filter(({ isErased }) => !isErased)))
      left.push(...(await indexPage(deps, page, present)));
    for (const { callId, place } of left) unknown.set(callId, place);
    if (left.length === 0 && end > from) await segmentIndex.setIndexed(name, end);
  }
  return unknown;
}

/** Returns the unknown ones. */
async function indexPage(
  { segmentIndex, segments, keys }: SegmentUpkeepDeps,
  records: readonly SegmentRecord[],
  present: readonly string[],
): Promise<readonly SegmentRecord[]> {
  // Of several of a call, which have the same words, the last one counts.
  const last = [...new Map(records.map((record) => [record.callId, record])).values()];
  const standings = await segmentIndex.found(last, present);
  const unknown = last.filter(({ callId }) => standings.get(callId) === "unknown");
  const keyOf = unknown.length === 0 ? null : await keys.of(unknown.map(({ callId }) => callId));
  const isErased = ({ callId }: SegmentRecord) => keyOf?.get(callId)?.kind === "erased";
  const mustGo = last.filter(({ callId }) => ["erased", "elsewhere"].includes(standings.get(callId) ?? ""));
  await segments.erase([...mustGo, ...unknown.filter(isErased)]);
  return unknown.filter((record) => !isErased(record));
}

/** Due recordings whose rows came after their segments were looked at get their places. */
export async function placeUnknown(
  { segmentIndex, segments }: Pick<SegmentUpkeepDeps, "segmentIndex" | "segments">,
  unknown: UnknownRecordings,
  tasks: readonly RecordingTask[],
): Promise<readonly RecordingTask[]> {
  const known = tasks.flatMap(({ callId, copy, place: has }) => {
    const place = copy === "waiting" && has === null ? unknown.get(callId) : undefined;
    return place === undefined ? [] : [{ callId, place }];
  });
  if (known.length === 0) return tasks;
  const present = (await segments.list()).map(({ name }) => name);
  await segmentIndex.found(known, present);
  for (const { callId } of known) unknown.delete(callId);
  const places = new Map(known.map(({ callId, place }) => [callId, place]));
  return tasks.map((task) => ({ ...task, place: task.place ?? places.get(task.callId) ?? null }));
}

/**
 * Gives the space of erased recordings back: of a segment that is mostly erased the others are copied to
 * another one, the index is told, and its file is removed. Whenever that stops, each recording is where its
 * row says, and the next time goes on; copies of which the index was not told are found by `indexSegments`.
 */
export async function giveBackSegments(deps: SegmentUpkeepDeps, stop: StopSignal): Promise<void> {
  const { segmentIndex, segments, logger } = deps;
  const erasedBytes = await segmentIndex.erasedBytes();
  const all = erasedBytes.size === 0 ? [] : await segments.list();
  // None at all: perhaps the folder is not mounted.
  if (all.length === 0) return;
  const present = new Set(all.map(({ name }) => name));
  for (const name of erasedBytes.keys()) if (!present.has(name)) await segmentIndex.dropped(name);
  const indexed = await segmentIndex.indexed();
  for (const { name, bytes, isClosed } of all) {
    if (stop.aborted) return;
    if (!isClosed || (erasedBytes.get(name) ?? 0) < ERASED_PART * bytes) continue;
    const { records, end } = await segments.read(name, 0);
    const live = end < (indexed.get(name) ?? 0) ? null : await liveOf(segmentIndex, records);
    if (live === null)
      logger.warn({ segment: name }, "erased recordings keep their space: a record beside them is nobody's");
    else await giveBack(deps, name, live);
  }
}

/** Those at which their rows point. null: of one nobody knows whether it is needed. */
async function liveOf(
  segmentIndex: Pick<SegmentIndex, "rowsOf">,
  records: readonly SegmentRecord[],
): Promise<readonly SegmentRecord[] | null> {
  const live: SegmentRecord[] = [];
  for (const page of pagesOf(records.filter(({ isErased }) => !isErased))) {
    const rows = await segmentIndex.rowsOf(page.map(({ callId }) => callId));
    for (const record of page) {
      const row = rows.get(record.callId);
      if (row === undefined || KNOWS_NO_COPY.includes(row.copy)) return null;
      if (row.copy !== "erased" && isAt(row.place, record.place)) live.push(record);
    }
  }
  return live;
}

async function giveBack(
  { segmentIndex, segments, logger }: SegmentUpkeepDeps,
  name: string,
  live: readonly SegmentRecord[],
): Promise<void> {
  const moves = await segments.copy(live);
  const moved = await segmentIndex.moved(moves);
  const left = moves.filter(({ callId }) => !moved.has(callId));
  await segments.erase(left.map(({ callId, to }) => ({ callId, place: to })));
  await segments.drop(name);
  await segmentIndex.dropped(name);
  logger.info({ segment: name, moved: moved.size }, "the space of erased recordings is given back");
}

function isAt(row: RecordingPlace | null, { segment, at }: RecordingPlace): boolean {
  return row?.segment === segment && row.at === at;
}

function pagesOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / PAGE) }, (_, page) =>
    all.slice(page * PAGE, (page + 1) * PAGE),
  );
}
