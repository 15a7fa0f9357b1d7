import type { Admission } from "../../application/ports/admission.ts";
import type { Checkpoints } from "../../application/ports/checkpoints.ts";
import type { ErasureJournal, Erasures } from "../../application/ports/erasures.ts";
import type { Imports } from "../../application/ports/imports.ts";
import type { Leases } from "../../application/ports/leases.ts";
import type { RecordingFiles, Recordings } from "../../application/ports/recordings.ts";
import type { WebhookOutbox } from "../../application/ports/webhook-outbox.ts";
import type { Around } from "./around.ts";
import { crashingAdmission, crashingImports, crashingLeases } from "./crashing-calls.ts";
import { crashingCheckpoints } from "./crashing-log.ts";
import { crashingOutbox } from "./crashing-webhooks.ts";
import {
  crashingErasures,
  crashingJournal,
  crashingRecordingFiles,
  crashingRecordings,
} from "./crashing-words.ts";

type EngineStores = {
  readonly admission: Admission;
  readonly checkpoints: Checkpoints;
  readonly imports: Imports;
  readonly leases: Leases;
  readonly outbox: WebhookOutbox;
};
type WordStores = {
  readonly erasures: Erasures;
  readonly journal: ErasureJournal;
  readonly recordings: Recordings;
  readonly files: RecordingFiles;
};

/** The stores of calls and campaigns. */
export function crashingEngineStores<A extends EngineStores>(adapters: A, around: Around): A {
  return {
    ...adapters,
    admission: crashingAdmission(adapters.admission, around),
    checkpoints: crashingCheckpoints(adapters.checkpoints, around),
    imports: crashingImports(adapters.imports, around),
    leases: crashingLeases(adapters.leases, around),
    outbox: crashingOutbox(adapters.outbox, around),
  };
}

/** The stores of texts and recordings, and of their erasure. */
export function crashingWordStores<A extends WordStores>(adapters: A, around: Around): A {
  return {
    ...adapters,
    erasures: crashingErasures(adapters.erasures, around),
    journal: crashingJournal(adapters.journal, around),
    recordings: crashingRecordings(adapters.recordings, around),
    files: crashingRecordingFiles(adapters.files, around),
  };
}
