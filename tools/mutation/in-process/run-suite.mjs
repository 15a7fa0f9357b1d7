const TICK_MILLIS = 50;
/**
 * A test that waits for so many timers more than without a mutant never ends. Timers, so that a busy
 * machine does not matter; but it makes a database slow, which this process only waits for.
 */
const IDLE_TICKS = process.env.JUDGE_PROVIDED === undefined ? 20 : 100;

/** Which tests of a file to run; the results are passed to `tell` in order. */
export function suiteRunner({ ns, atEnd, expectedMillis, shareCoverage }) {
  /** Errors of failed tests that nobody caught. */
  let escaped = [];
  process.on("unhandledRejection", (error) => escaped.push(error));
  process.on("uncaughtException", (error) => escaped.push(error));

  /** Runs bodies in order, then those that follow in any case; returns the error, or null. */
  async function guarded(bodies, id, after = []) {
    if (bodies.length + after.length === 0) return null;
    escaped = [];
    ns.currentTestId = id;
    const limit = idleLimit(expectedMillis(id) / TICK_MILLIS);
    try {
      await Promise.race([inOrder(bodies, after, atEnd), limit.passed]);
      return escaped.length === 0 ? null : { message: `escaped: ${escaped[0]}`, neverEnded: false };
    } catch (error) {
      return { message: String(error?.message ?? error).slice(0, 500), neverEnded: error === limit.error };
    } finally {
      limit.clear();
      ns.currentTestId = undefined;
    }
  }

  return async function runSuite(suite, { file, isChosen, bails }, above = "", around = NOTHING_AROUND) {
    const results = [];
    const idOf = (child) => `${file}#${nameOf(above, child)}`;
    const has = (child, over) =>
      child.body === undefined
        ? child.children.some((inner) => has(inner, nameOf(over, child)))
        : isChosen(`${file}#${nameOf(over, child)}`);
    const children = suite.children.filter((child) => has(child, above));
    if (children.length === 0) return results;
    const shared = `${file}#${above}#around`;
    const own = {
      before: [...around.before, ...suite.beforeEach],
      after: [...suite.afterEach, ...around.after],
    };
    const add = (id, problem, began) =>
      results.push({ id, problem, millis: Math.round(performance.now() - began) });

    const start = performance.now();
    const notBegun = await guarded(suite.beforeAll, shared);
    if (notBegun !== null) {
      add(shared, notBegun, start);
      return results;
    }
    for (const child of children) {
      const began = performance.now();
      if (child.body !== undefined)
        add(idOf(child), await guarded([...own.before, child.body], idOf(child), own.after), began);
      else results.push(...(await runSuite(child, { file, isChosen, bails }, nameOf(above, child), own)));
      if (bails && results.some(({ problem }) => problem !== null)) break;
    }
    const notEnded = await guarded(suite.afterAll, shared);
    if (notEnded !== null) add(shared, notEnded, start);
    shareCoverage(
      shared,
      results.map(({ id }) => id),
    );
    return results;
  };
}

const NOTHING_AROUND = { before: [], after: [] };

function nameOf(above, { name }) {
  return above === "" ? name : `${above} ${name}`;
}

/** The function that a hook returns, and what a test leaves for its end, are run at the end, as in vitest. */
async function inOrder(bodies, after, atEnd) {
  const undo = [];
  try {
    for (const body of bodies) {
      const left = await body();
      if (typeof left === "function") undo.unshift(left);
    }
  } finally {
    for (const body of [...after, ...undo, ...atEnd.splice(0)]) await body();
  }
}

function idleLimit(expectedTicks) {
  const { promise: passed, reject } = Promise.withResolvers();
  passed.catch(() => undefined);
  const error = new Error("never ended");
  let left = IDLE_TICKS + 2 * expectedTicks;
  const timer = setInterval(() => {
    left -= 1;
    if (left <= 0) reject(error);
  }, TICK_MILLIS);
  return { passed, error, clear: () => clearInterval(timer) };
}
