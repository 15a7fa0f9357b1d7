import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
/** The width of the code (biome.json), which the formatter does not apply to comments. */
const WIDTH = 110;

const sources = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => /\.(ts|tsx|mts|js|mjs)$/.test(file));

/** Lines of a source text with a comment on them that are wider than the code. */
function wideComments(file: string, text: string): string[] {
  const lines = text.split("\n");
  if (lines.every(({ length }) => length <= WIDTH)) return [];
  const { comments, errors } = parseSync(file, text);
  expect(errors).toEqual([]);
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
  return comments.flatMap(({ start, end }) =>
    lines.slice(lineOf(start) - 1, lineOf(end)).flatMap((line, index) => {
      const place = `${file}:${lineOf(start) + index}`;
      return line.length > WIDTH ? [place] : [];
    }),
  );
}

describe("comments", () => {
  it("that are wider than the code are found", () => {
    const text = `const a = 1;\n/**\n * ${"word ".repeat(22)}\n */\nconst b = 2; // ${"word ".repeat(20)}\n`;
    expect(wideComments("example.ts", text)).toEqual(["example.ts:3", "example.ts:5"]);
    expect(sources.length).toBeGreaterThan(2_000);
  });

  it("are no wider than the code", () => {
    expect(sources.flatMap((file) => wideComments(file, readFileSync(join(ROOT, file), "utf8")))).toEqual([]);
  });
});
