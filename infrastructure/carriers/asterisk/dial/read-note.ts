import type { Clock } from "../../../../application/ports/clock.ts";
import type { AriClient } from "../ari/ari-client.ts";
import { readVariable } from "../ari/ari-variables.ts";
import { type Note, noteName, parseNote } from "./note.ts";

const LOOKS = 20;
const PAUSE_MILLIS = 100;

/** null: Asterisk cannot be reached. "none": there is no note. */
export async function readNote(
  ari: Pick<AriClient, "request">,
  callId: string,
): Promise<Note | "none" | null> {
  const text = await readVariable(ari, noteName(callId));
  return text === null ? null : (parseNote(text) ?? "none");
}

/** As `readNote`, but gives a dial that has just ended the time that the dialplan needs for its note. */
export async function readSettledNote(
  ari: Pick<AriClient, "request">,
  clock: Pick<Clock, "sleep">,
  callId: string,
): Promise<Note | "none" | null> {
  for (let look = 1; ; look += 1) {
    const note = await readNote(ari, callId);
    if (note === null || note === "none" || note.end !== null || look === LOOKS) return note;
    await clock.sleep(PAUSE_MILLIS);
  }
}
