/** How often the clock looks, in ms. */
const LOOK_MILLIS = 5;
/** What one look counts at most: the rest of a longer wait nobody in this process could have used. */
const MOST_MILLIS = 2 * LOOK_MILLIS;

/**
 * Milliseconds that pass for this process: a clock that stands still while the machine lets it do nothing. A
 * bound of this time says the same on a quiet machine and beside ten other programs. Of work in this process
 * only: a database may have waited meanwhile.
 */
export async function loopMillisOf(work: Promise<unknown>): Promise<number> {
  let passed = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    passed += Math.min(now - last, MOST_MILLIS);
    last = now;
  };
  const timer = setInterval(look, LOOK_MILLIS);
  try {
    await work;
    look();
    return passed;
  } finally {
    clearInterval(timer);
  }
}
