import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const tracked = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
const documents = tracked.filter((file) => /^(README|docs\/[^/]+)\.md$/.test(file));

/** What stands in backticks and looks like the path of one source file. */
function namedIn(document: string): string[] {
  const text = readFileSync(join(ROOT, document), "utf8");
  return [...text.matchAll(/`([^`\s*]+\/[^`\s*]+\.ts)`/g)].map(([, path = ""]) => path);
}

it("every source file that README and docs name by its path is there", () => {
  const named = documents.flatMap((document) => namedIn(document).map((path) => ({ document, path })));
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ path }) => !tracked.includes(path))).toEqual([]);
});

/** Pages that comments send the reader to, with the section (`docs/api.md §5`), and where they do. */
function pagesNamedIn(
  source: string,
): { readonly source: string; readonly page: string; readonly section: string }[] {
  const comments = readFileSync(join(ROOT, source), "utf8")
    .split("\n")
    .filter((line) => /^\s*(\/\*|\*|\/\/)|\s\/\/ /.test(line));
  return comments.flatMap((line) =>
    [...line.matchAll(/([\w./-]+\.md)(?: §(\d+))?/g)].map(([, page = "", section = ""]) => ({
      source,
      page,
      section,
    })),
  );
}

it("every page that a comment names is there, with the section that it names", () => {
  const sources = tracked.filter((file) => /\.[jt]s$/.test(file));
  const named = sources.flatMap(pagesNamedIn);
  expect(named.length).toBeGreaterThan(100);
  const isThere = (page: string, section: string) =>
    tracked.includes(page) &&
    (section === "" || readFileSync(join(ROOT, page), "utf8").includes(`\n## ${section}. `));
  expect(named.filter(({ page, section }) => !isThere(page, section))).toEqual([]);
});

it("every file that a page links to is there", () => {
  const pages = tracked.filter((file) => file.endsWith(".md"));
  const links = pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)(?:#[^)\s]*)?\)/g)].map(
      ([, target = ""]) => ({ page, target: join(dirname(page), target).replace(/\/$/, "") }),
    ),
  );
  expect(links.length).toBeGreaterThan(20);
  const isThere = (target: string) =>
    tracked.some((file) => file === target || file.startsWith(`${target}/`));
  expect(links.filter(({ target }) => !isThere(target))).toEqual([]);
});
