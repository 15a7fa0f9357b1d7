import type { ErasureJournal, Erasures } from "../../application/ports/erasures.ts";
import type { RecordingFiles, Recordings } from "../../application/ports/recordings.ts";
import type { Around } from "./around.ts";

export function crashingErasures<P extends Erasures>(port: P, around: Around): P {
  return {
    ...port,
    begin: (erasure, callIds) => around("erasures.begin", () => port.begin(erasure, callIds)),
    eraseKeys: (calls) => around("erasures.eraseKeys", () => port.eraseKeys(calls)),
    clear: (callIds) => around("erasures.clear", () => port.clear(callIds), Boolean),
    finish: (erasure, at) => around("erasures.finish", () => port.finish(erasure, at)),
  };
}

export function crashingJournal<P extends ErasureJournal>(port: P, around: Around): P {
  return { ...port, add: (calls, at) => around("journal.add", () => port.add(calls, at)) };
}

export function crashingRecordings<P extends Recordings>(port: P, around: Around): P {
  return {
    ...port,
    add: (recordings) => around("recordings.add", () => port.add(recordings)),
    stepped: (steps) => around("recordings.stepped", () => port.stepped(steps)),
    erase: (callIds) => around("recordings.erase", () => port.erase(callIds)),
  };
}

export function crashingRecordingFiles<P extends RecordingFiles>(port: P, around: Around): P {
  return {
    ...port,
    write: (callId, key, contentType, source) =>
      around("recordingFiles.write", () => port.write(callId, key, contentType, source)),
    remove: (callIds) => around("recordingFiles.remove", () => port.remove(callIds)),
  };
}
