const SAMPLE_RATE = 8_000;
const HEADER_BYTES = 44;
const TONE_MILLIS = 400;
const GAP_MILLIS = 100;

/** By speaker. */
const TONES: ReadonlyMap<string, Buffer> = new Map([
  ["assistant", toneOf(440)],
  ["customer", toneOf(330)],
  ["tool", toneOf(660)],
]);
const OTHER_TONE = toneOf(220);

/**
 * The recording of a simulated call: a WAV file (8 kHz, 16 bit, mono) with one short tone for each message,
 * made when it is requested. Always the same bytes for the same messages.
 */
export function simulatedRecording(messages: readonly { readonly role: string }[]): Uint8Array<ArrayBuffer> {
  const stride = ((TONE_MILLIS + GAP_MILLIS) * SAMPLE_RATE) / 1_000;
  const samples = Math.max(1, messages.length) * stride;
  const wav = Buffer.alloc(HEADER_BYTES + samples * 2);
  writeHeader(wav, samples * 2);
  messages.forEach(({ role }, index) => {
    (TONES.get(role) ?? OTHER_TONE).copy(wav, HEADER_BYTES + index * stride * 2);
  });
  return wav;
}

function toneOf(hertz: number): Buffer {
  const samples = (TONE_MILLIS * SAMPLE_RATE) / 1_000;
  const tone = Buffer.alloc(samples * 2);
  for (let index = 0; index < samples; index += 1) {
    tone.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * hertz * index) / SAMPLE_RATE)), index * 2);
  }
  return tone;
}

/** RIFF/WAVE with one PCM chunk. */
function writeHeader(wav: Buffer, dataBytes: number): void {
  wav.write("RIFF", 0, "ascii");
  wav.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, 4);
  wav.write("WAVEfmt ", 8, "ascii");
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(SAMPLE_RATE, 24);
  wav.writeUInt32LE(SAMPLE_RATE * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36, "ascii");
  wav.writeUInt32LE(dataBytes, 40);
}
