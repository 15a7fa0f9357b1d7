import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const ROOMS = [
  "domain",
  "application",
  "infrastructure",
  "projections",
  "simulation",
  "composition",
  "programs",
];

const texts = ROOMS.flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => [join(room, name), readFileSync(join(ROOT, room, name), "utf8")] as const),
);

it("a class hides its state with #, nowhere with private or protected", () => {
  expect(texts.filter(([, text]) => /^\s+#\w/m.test(text)).length).toBeGreaterThan(15);
  const hiding = texts.filter(([, text]) => /^\s+(?:private|protected) /m.test(text)).map(([file]) => file);
  expect(hiding).toEqual([]);
});

it("a result that is not ok says its reason, or the refusal of a request", () => {
  const results = texts.flatMap(([file, text]) =>
    [...text.matchAll(/readonly ok: false;[^}]*\}/g)].map(([type]) => ({ file, type })),
  );
  expect(results.length).toBeGreaterThan(12);
  expect(results.filter(({ type }) => !/readonly (reason|refusal): /.test(type))).toEqual([]);
});
