import fc from "fast-check";
import { expect, it } from "vitest";
import { createPcmReader } from "../../../infrastructure/speech/pcm.ts";

/** Bytes, and the sizes of the pieces in which they come. */
const streams = fc.record({
  bytes: fc.uint8Array({ maxLength: 200 }),
  pieces: fc.array(fc.nat({ max: 7 }), { maxLength: 80 }),
});

it("samples that are split anywhere sound the same, also where a piece is empty or half a sample", () => {
  fc.assert(
    fc.property(streams, ({ bytes, pieces }) => {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const whole = Array.from({ length: bytes.length >> 1 }, (_, index) => view.getInt16(2 * index, true));
      const read = createPcmReader();
      const samples: number[] = [];
      let from = 0;
      for (const size of [...pieces, bytes.length]) {
        samples.push(...read(bytes.subarray(from, from + size)));
        from = Math.min(bytes.length, from + size);
      }
      expect(samples).toEqual(whole);
    }),
    { numRuns: 500 },
  );
});
