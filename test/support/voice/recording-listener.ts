import type { SessionListener } from "../../../application/ports/voice-session.ts";

/** Everything that a session tells, one line each, in order; speech that goes on is told once. */
export function recordingListener(told: string[]): SessionListener {
  return {
    speechStarted: () => {
      if (told.at(-1) !== "speech") told.push("speech");
    },
    customerSaid: (text, _language, continues) => told.push(`said ${text}${continues ? " …" : ""}`),
    heardWhole: (id) => told.push(`heard ${id}`),
    cut: (id, heard, heardMillis, precision) =>
      told.push(`cut ${id} "${heard}" ${heardMillis === null ? "?" : Math.round(heardMillis)} ${precision}`),
    digit: (digit) => told.push(`digit ${digit}`),
    silence: () => told.push("silence"),
    machineHeard: (greetingEnded) => told.push(`machine ${greetingEnded ? "ended" : "speaks"}`),
    closed: (cause) => told.push(`closed ${cause}`),
  };
}
