const AT_ONCE = 256;

/** Gives so many random bytes each time, drawn for 256 times at once: asking the system costs more than what they are for. Nobody keeps what he is given. */
export function randomBytesOf(length: number): () => Uint8Array {
  const random = new Uint8Array(AT_ONCE * length);
  let drawn = random.length;
  return () => {
    if (drawn === random.length) {
      crypto.getRandomValues(random);
      drawn = 0;
    }
    drawn += length;
    return random.subarray(drawn - length, drawn);
  };
}
