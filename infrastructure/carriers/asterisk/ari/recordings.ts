import type { CarrierRecording } from "../../../../application/ports/carrier.ts";
import type { AriClient } from "./ari-client.ts";

const PREFIX = "rf_";

/** A name with a dot would be taken for a name with a format. */
export function recordingName(callId: string): string {
  return `${PREFIX}${callId}`;
}

/** null: not one of ours. */
export function callOfRecording(name: string): string | null {
  return name.startsWith(`${PREFIX}call_`) ? name.slice(PREFIX.length) : null;
}

export async function fetchRecording(ari: AriClient, name: string): Promise<CarrierRecording> {
  const answer = await ari.stream(`/recordings/stored/${encodeURIComponent(name)}/file`);
  if (answer.kind === "failed") return { kind: "unavailable", cause: answer.cause };
  if (answer.status === 200) return { kind: "found", contentType: "audio/wav", bytes: answer.bytes };
  for await (const _ of answer.bytes) break;
  return answer.status === 404
    ? { kind: "absent" }
    : { kind: "unavailable", cause: `Asterisk answered ${answer.status}` };
}

export async function deleteRecording(ari: AriClient, name: string): Promise<"done" | "unavailable"> {
  const path = `/recordings/stored/${encodeURIComponent(name)}`;
  const answer = await ari.request({ method: "DELETE", path });
  const isDeleted = answer.kind === "answered" && (answer.status === 204 || answer.status === 404);
  return isDeleted ? "done" : "unavailable";
}
