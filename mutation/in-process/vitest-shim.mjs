import { readFileSync } from "node:fs";
import path from "node:path";
import { format } from "node:util";

/**
 * What tests import as "vitest" while they judge mutants: suites and tests are only collected, to be run by
 * run-suite.mjs. `expect` and `vi` are vitest's own. There is no database, and a test that needs one fails
 * instead of being skipped silently.
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
export const inject = () => {
  throw new Error("no global setup takes part");
};

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
  Object.assign(add, { each: forRows(add, true), for: forRows(add, false), skip: () => undefined });
export const it = withRows(addTest);
export const test = it;
export const describe = withRows(addSuite);

export const beforeAll = (body) => void suite.beforeAll.push(body);
export const afterAll = (body) => void suite.afterAll.unshift(body);
export const beforeEach = (body) => void suite.beforeEach.push(body);
export const afterEach = (body) => void suite.afterEach.unshift(body);
