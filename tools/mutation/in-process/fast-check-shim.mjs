import { it as plain } from "./vitest-shim.mjs";

/**
 * What tests import as "@fast-check/vitest": a property is a test. The first counterexample is enough,
 * because nobody reads a smaller one.
 */
export const { default: fc } = await import(process.env.JUDGE_FAST_CHECK);
fc.configureGlobal({ endOnFailure: true });

function prop(arbitraries, parameters) {
  return (name, body) =>
    plain(name, () =>
      fc.assert(
        fc.asyncProperty(...arbitraries, async (...given) => body(...given)),
        parameters,
      ),
    );
}

export const it = Object.assign((...given) => plain(...given), plain, { prop });
export const test = it;
