import type { MuLaw } from "../../../../application/ports/speech.ts";
import { decodeMuLaw, encodeMuLaw } from "../../../../application/voice/audio/mu-law.ts";

/** How sound travels on the line of a callee; µ-law is what our tests hear and say. */
export type LineCodec = {
  /** Of RTP (RFC 3551). */
  readonly payloadType: number;
  readonly name: "PCMU" | "PCMA";
  onTheLine(sound: MuLaw): Uint8Array;
  heard(payload: Uint8Array): MuLaw;
};

export const MU_LAW: LineCodec = {
  payloadType: 0,
  name: "PCMU",
  onTheLine: (sound) => sound,
  heard: (payload) => payload,
};

/** G.711: a byte of A-law as a sample of 16 bits. */
const A_LAW_SAMPLES = Int16Array.from({ length: 256 }, (_, code) => {
  const bits = code ^ 0x55;
  const exponent = (bits & 0x70) >> 4;
  const mantissa = ((bits & 0x0f) << 4) + (exponent === 0 ? 8 : 0x108);
  const magnitude = exponent > 1 ? mantissa << (exponent - 1) : mantissa;
  return (bits & 0x80) === 0 ? -magnitude : magnitude;
});

const TO_MU_LAW = encodeMuLaw(A_LAW_SAMPLES);
/** The nearest of each. */
const TO_A_LAW = Uint8Array.from(
  decodeMuLaw(Uint8Array.from({ length: 256 }, (_, code) => code)),
  (sample) => {
    const distances = Array.from(A_LAW_SAMPLES, (each) => Math.abs(each - sample));
    return distances.indexOf(Math.min(...distances));
  },
);

/** What trunks outside of North America and Japan speak. */
export const A_LAW: LineCodec = {
  payloadType: 8,
  name: "PCMA",
  onTheLine: (sound) => sound.map((code) => TO_A_LAW[code] ?? 0),
  heard: (payload) => Uint8Array.from(payload, (code) => TO_MU_LAW[code] ?? 0),
};
