import type { MuLaw } from "../../application/ports/speech.ts";
import { decodeMuLaw, SAMPLES_A_SECOND } from "../../application/voice/audio/mu-law.ts";

/** Decodes 16 bit little endian bytes, split anywhere, to samples. */
export function createPcmReader(): (bytes: Uint8Array) => Int16Array {
  let odd: number | null = null;
  return (bytes) => {
    const before = odd === null ? 0 : 1;
    const samples = new Int16Array((bytes.length + before) >> 1);
    for (let index = 0; index < samples.length; index += 1) {
      const at = 2 * index - before;
      const low = at < 0 ? (odd ?? 0) : (bytes[at] ?? 0);
      samples[index] = low | ((bytes[at + 1] ?? 0) << 8);
    }
    odd = (bytes.length + before) % 2 === 0 ? null : (bytes.at(-1) ?? odd);
    return samples;
  };
}

const HEADER_BYTES = 44;

/** PCM of 16 bits, one channel, 8 kHz. */
export function wavOf(audio: MuLaw): Uint8Array {
  const samples = decodeMuLaw(audio);
  const wav = new Uint8Array(HEADER_BYTES + 2 * samples.length);
  const view = new DataView(wav.buffer);
  const text = (at: number, letters: string) => wav.set(Buffer.from(letters, "latin1"), at);
  text(0, "RIFF");
  view.setUint32(4, wav.length - 8, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, SAMPLES_A_SECOND, true);
  view.setUint32(28, 2 * SAMPLES_A_SECOND, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, 2 * samples.length, true);
  for (let index = 0; index < samples.length; index += 1)
    view.setInt16(HEADER_BYTES + 2 * index, samples[index] ?? 0, true);
  return wav;
}

/**
 * Sample rate of a WAV that begins with these bytes, and where its samples begin; null: it does not have 16
 * bits and one channel.
 */
export function wavHeader(bytes: Uint8Array): { readonly rate: number; readonly from: number } | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const letters = (at: number) => Buffer.from(bytes.subarray(at, at + 4)).toString("latin1");
  if (bytes.length < HEADER_BYTES || letters(0) !== "RIFF" || letters(8) !== "WAVE") return null;
  const isPlain =
    view.getUint16(20, true) === 1 && view.getUint16(22, true) === 1 && view.getUint16(34, true) === 16;
  return isPlain && letters(36) === "data" ? { rate: view.getUint32(24, true), from: HEADER_BYTES } : null;
}
