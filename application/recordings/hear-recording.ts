import type { CallId } from "../../domain/shared/ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { OpenRecording, RecordingFiles, RecordingPlace, Recordings } from "../ports/recordings.ts";
import type { SubjectKeys } from "../ports/subject-keys.ts";

/**
 * pending: it is being copied. none: it is gone, or never existed. unavailable: it should exist and
 * cannot be read here.
 */
export type Hearing =
  | { readonly kind: "found"; readonly recording: OpenRecording }
  | { readonly kind: "pending" | "none" | "unavailable" };

type Deps = {
  readonly recordings: Pick<Recordings, "copyOf" | "lost">;
  readonly files: Pick<RecordingFiles, "open">;
  readonly keys: SubjectKeys;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** How long to wait for a copy that is being made. */
const WAIT_MILLIS = 3_000;
const LOOK_MILLIS = 100;

/** The recording of a call that its carrier has reported. */
export async function hearRecording(deps: Deps, callId: CallId): Promise<Hearing> {
  const { recordings, clock } = deps;
  const until = clock.monotonicMillis() + WAIT_MILLIS;
  for (;;) {
    const known = await recordings.copyOf(callId);
    if (known?.copy === "copied") {
      const hearing = await openCopy(deps, callId, known.place);
      if (hearing !== null) return hearing;
    } else if (known !== null && known.copy !== "waiting" && known.copy !== "expected") {
      return { kind: "none" };
    }
    if (clock.monotonicMillis() > until) return { kind: "pending" };
    await clock.sleep(LOOK_MILLIS);
  }
}

/** null: it was moved or erased just now. */
async function openCopy(
  { recordings, files, keys, logger }: Deps,
  callId: CallId,
  place: RecordingPlace | null,
): Promise<Hearing | null> {
  const key = (await keys.of([callId])).get(callId);
  if (key?.kind === "erased") return { kind: "none" };
  const found =
    key?.kind === "open" ? await files.open({ callId, place }, key.key) : ({ kind: "damaged" } as const);
  if (found.kind === "found") return found;
  if (found.kind === "missing") {
    const now = await recordings.copyOf(callId);
    if (now?.copy !== "copied" || now.place?.segment !== place?.segment) return null;
    if (await recordings.lost(callId)) {
      logger.warn({ callId }, "the file of a recording is missing in RECORDINGS_DIR; it is copied once more");
      return { kind: "pending" };
    }
  }
  logger.error(
    { callId, found: found.kind },
    "a recording cannot be read: its file in RECORDINGS_DIR is missing or damaged, or its key is; is it the folder of all processes?",
  );
  return { kind: "unavailable" };
}
