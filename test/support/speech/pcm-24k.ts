import { decodeMuLaw } from "../../../application/voice/audio/mu-law.ts";

/**
 * As a speech server sends it: 24 kHz, 16 bit little endian. Between two samples of the line
 * there is a straight line.
 */
export function pcm24kOf(audio: Uint8Array): Buffer {
  const samples = decodeMuLaw(audio);
  const bytes = Buffer.alloc(samples.length * 6);
  for (let index = 0; index < samples.length; index += 1) {
    const [here, next] = [samples[index] ?? 0, samples[index + 1] ?? 0];
    for (let third = 0; third < 3; third += 1)
      bytes.writeInt16LE(Math.round(here + ((next - here) * third) / 3), (index * 3 + third) * 2);
  }
  return bytes;
}
