import { readFileSync } from "node:fs";
import path from "node:path";
import { format } from "node:util";

/**
 * What tests import as "vitest" while they judge mutants: suites and tests are only collected, to be run by
 * run-suite.mjs. `expect` and `vi` are vitest's own. What the global setup provides (a database) comes from
 * JUDGE_PROVIDED; without it a test that needs one fails instead of being skipped silently.
 */
globalThis.__vitest_worker__ ??= {
  config: {},
  ctx: {},
  environment: {},
  rpc: {},
  durations: {},
  metaEnv: {},
};
const vitest = await import(process.env.JUDGE_VITEST);

export const { expect, vi } = vitest;
const provided = JSON.parse(process.env.JUDGE_PROVIDED ?? "{}");
export const inject = (key) => {
  if (key in provided) return provided[key];
  throw new Error("no global setup takes part");
};
/** vitest's own asks for the test that runs, which it does not know here. */
expect.poll = pollWith(expect);

let file = "";
let suite = newSuite("");

export function beginFile(name) {
  file = name;
  suite = newSuite("");
  return suite;
}

expect.extend({
  toMatchFileSnapshot(received, name) {
    const golden = readFileSync(path.resolve(path.dirname(file), name), "utf8");
    return { pass: golden === received, message: () => `differs from ${name}` };
  },
});

/** Reads until the matcher is content. */
function pollWith(expectNow) {
  const POLLS = 200;
  const polling =
    (read, judge) =>
    async (...given) => {
      for (let left = POLLS; ; left -= 1) {
        const value = await read();
        try {
          return judge(value, given);
        } catch (error) {
          if (left === 0) throw error;
        }
        await new Promise((go) => setTimeout(go, 25));
      }
    };
  return (read) => {
    const matchers = (of) =>
      new Proxy(
        {},
        {
          get: (_, name) =>
            name === "not"
              ? matchers((value) => of(value).not)
              : polling(read, (value, given) => of(value)[name](...given)),
        },
      );
    return matchers(expectNow);
  };
}

function newSuite(name) {
  return { name, children: [], beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] };
}

function addTest(name, ...optionsAndBody) {
  suite.children.push({ name, body: bodyOf(optionsAndBody) });
}

function addSuite(name, ...optionsAndBody) {
  const outer = suite;
  suite = newSuite(name);
  outer.children.push(suite);
  try {
    bodyOf(optionsAndBody)();
  } finally {
    suite = outer;
  }
}

/** Options may come before or after it. */
function bodyOf(optionsAndBody) {
  return optionsAndBody.find((each) => typeof each === "function");
}

/** Each row with its own name. */
function forRows(add, spreads) {
  return (rows) =>
    (name, ...optionsAndBody) => {
      const body = bodyOf(optionsAndBody);
      for (const [index, row] of rows.entries()) {
        const values = Array.isArray(row) ? row : [row];
        add(nameOfRow(name, values, index), () => (spreads ? body(...values) : body(row)));
      }
    };
}

function nameOfRow(name, values, index) {
  const places = name.match(/%[sdijfo]/g) ?? [];
  return `${format(name, ...values.slice(0, places.length))} [${index}]`;
}

const withRows = (add) =>
  Object.assign(add, {
    each: forRows(add, true),
    for: forRows(add, false),
    skip: () => undefined,
    runIf: (runs) => (runs ? add : () => undefined),
  });
export const it = withRows(addTest);
export const test = it;
export const describe = withRows(addSuite);

export const beforeAll = (body) => void suite.beforeAll.push(body);
export const afterAll = (body) => void suite.afterAll.unshift(body);
export const beforeEach = (body) => void suite.beforeEach.push(body);
export const afterEach = (body) => void suite.afterEach.unshift(body);

/** What a test leaves to be done at its end: run-suite.mjs takes it. */
export const atEnd = [];
export const onTestFinished = (body) => void atEnd.unshift(body);
