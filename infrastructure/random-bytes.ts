const AT_ONCE = 256;

/**
 * Returns so many random bytes each time, drawn for 256 calls at once: the system call takes longer than
 * their use. Callers must not keep the returned array.
 */
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
