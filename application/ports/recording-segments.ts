import type { CallId } from "../../domain/shared/ids.ts";
import type { RecordingCopy, RecordingPlace } from "./recordings.ts";

export type RecordingInSegment = { readonly callId: CallId; readonly place: RecordingPlace };

export type SegmentRecord = RecordingInSegment & {
  /** Its bytes were overwritten. */
  readonly isErased: boolean;
};

export type RecordingMove = {
  readonly callId: CallId;
  readonly from: RecordingPlace;
  readonly to: RecordingPlace;
};

/** The segments in RECORDINGS_DIR: files of many recordings, each written by one process. */
export interface RecordingSegments {
  /** `isClosed`: no process writes to it any more, nor has still to tell of what it wrote there. */
  list(): Promise<readonly { readonly name: string; readonly bytes: number; readonly isClosed: boolean }[]>;
  /** The records from a byte on where one begins, and where the last one ends. Bytes after that are none. */
  read(
    name: string,
    from: number,
  ): Promise<{ readonly records: readonly SegmentRecord[]; readonly end: number }>;
  /** Copies them into a segment of this process; on the disk when it resolves. */
  copy(records: readonly SegmentRecord[]): Promise<readonly RecordingMove[]>;
  /** Overwrites their bytes. One that is not there counts as done. */
  erase(records: readonly RecordingInSegment[]): Promise<void>;
  /** Removes the file. A missing one counts as done. */
  drop(name: string): Promise<void>;
}

/**
 * unknown: no row waits for it or knows it (yet). stands: its row has this place, now or from before. erased:
 * it must not exist. elsewhere: its row has another place.
 */
export type RecordStanding = "unknown" | "stands" | "erased" | "elsewhere";

/** The index over the segments. Everything may be repeated. */
export interface SegmentIndex {
  /** Up to where each segment was indexed (bytes). */
  indexed(): Promise<ReadonlyMap<string, number>>;
  /** All records up to there have their rows. */
  setIndexed(segment: string, end: number): Promise<void>;
  /**
   * Records of segments, each of another call, that the index may not know: a row that waits without a place,
   * or whose segment is none of `present`, gets this one.
   */
  found(
    records: readonly RecordingInSegment[],
    present: readonly string[],
  ): Promise<ReadonlyMap<CallId, RecordStanding>>;
  /** Bytes of erased recordings in each segment that has any. */
  erasedBytes(): Promise<ReadonlyMap<string, number>>;
  /** Calls without a row are absent. */
  rowsOf(
    callIds: readonly CallId[],
  ): Promise<ReadonlyMap<CallId, { readonly copy: RecordingCopy; readonly place: RecordingPlace | null }>>;
  /** Returns those that moved: the others were erased or moved meanwhile. */
  moved(moves: readonly RecordingMove[]): Promise<ReadonlySet<CallId>>;
  /** The file is gone. */
  dropped(segment: string): Promise<void>;
}
