import { describe, expect, it } from "vitest";
import { decodeMuLaw, encodeMuLaw, levelOf } from "../../../application/voice/audio/mu-law.ts";
import { createResampler } from "../../../infrastructure/speech/resampler.ts";

const sine = (rate: number, hertz: number, seconds = 1) =>
  Int16Array.from({ length: rate * seconds }, (_, index) =>
    Math.round(10_000 * Math.sin((2 * Math.PI * hertz * index) / rate)),
  );

function resampled(samples: Int16Array, rate: number, chunk = samples.length): Uint8Array {
  const resampler = createResampler(rate);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < samples.length; at += chunk)
    parts.push(resampler.take(samples.subarray(at, at + chunk)));
  return Buffer.concat([...parts, resampler.rest()]);
}

const level = (rate: number, hertz: number) =>
  levelOf(resampled(sine(rate, hertz), rate).subarray(400, 7_600));
/** A sine of 10,000 of 32,768. */
const FULL = 20 * Math.log10(10_000 / 32_768 / Math.SQRT2);

describe.each([24_000, 22_050, 16_000, 44_100])("from %i Hz to a telephone's 8 kHz", (rate) => {
  it.each([100, 300, 1_000, 2_500, 3_200])("keeps %i Hz as it is", (hertz) => {
    expect(level(rate, hertz)).toBeGreaterThan(FULL - 1);
    expect(level(rate, hertz)).toBeLessThan(FULL + 1);
  });

  it.each([4_600, 5_000, 6_000, 7_000])(
    "leaves nothing of %i Hz that would be heard as something else",
    (hertz) => {
      expect(level(rate, hertz)).toBeLessThan(FULL - 40);
    },
  );

  it("lasts as long, and is the same in pieces of any size", () => {
    const whole = resampled(sine(rate, 700), rate);
    expect(Math.abs(whole.length - 8_000)).toBeLessThanOrEqual(2);
    expect(Buffer.compare(resampled(sine(rate, 700), rate, 37), whole)).toBe(0);
  });

  it("stands in its place: the sound begins when it began", () => {
    const samples = new Int16Array(rate);
    samples.fill(12_000, rate / 2, rate / 2 + 40);
    const line = decodeMuLaw(resampled(samples, rate));
    const weight = line.reduce((sum, sample) => sum + sample, 0);
    const middle = line.reduce((sum, sample, index) => sum + sample * index, 0) / weight;
    expect(Math.abs(middle - 4_000 - (20 * 8_000) / rate)).toBeLessThanOrEqual(1);
  });
});

describe("µ-law", () => {
  it("is the code of G.711", () => {
    expect([...encodeMuLaw(Int16Array.of(0, -1, 32_767, -32_768, 8, 1_000))]).toEqual([
      0xff, 0x7f, 0x80, 0x00, 0xfe, 0xce,
    ]);
  });

  it("gives back what it was made of, to a part of its size", () => {
    const samples = Int16Array.from({ length: 65_000 }, (_, index) => index - 32_500);
    const back = decodeMuLaw(encodeMuLaw(samples));
    const worst = Math.max(
      ...samples.map((sample, index) => Math.abs(sample - (back[index] ?? 0)) - Math.abs(sample) / 20),
    );
    expect(worst).toBeLessThanOrEqual(8);
  });
});
