import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

/** What a new user looks for in the map, where its row leads, and what answers the question there. */
const QUESTIONS: readonly (readonly [sought: RegExp, target: string, answer: readonly RegExp[]])[] = [
  [
    /more than ten lines/i,
    "docs/sizing.md#hours-by-lines-and-talk",
    [/PLAN_MAX_CONCURRENT_CALLS/, /\/users\/:id/],
  ],
  [/retryOn/, "docs/api-by-example.md#who-is-called-again", [/`retryOn`/, /Left out.*declined/]],
  [/nginx/, "docs/operation.md#behind-a-proxy-with-tls", [/deploy\/nginx\.conf/, /TRUSTED_PROXIES/]],
  [/disk/i, "docs/sizing.md#disk", [/14 KB/, /960 KB/]],
  [/who confirmed/i, "docs/api-by-example.md#who-confirmed", [/contacts\.csv\?outcome\.confirmed=true/]],
  [/who confirmed/i, "README.md#run-it", [/npm run mcp/, /who did not confirm/]],
  [/inbound/, "docs/api.md#4-outbound-calls", [/inbound/, /answers no/]],
  [/backup/, "docs/operation.md#backup", [/tar --create/, /ERASURES_FILE/, /SECRETS_KEY/]],
  [/receiver in python/i, "docs/webhooks.md#python", [/hmac/, /WEBHOOK_SECRET/]],
  [/at night/, "docs/api-by-example.md#calling-window", [/callWindowStart/, /timezone/]],
  [/erase/i, "docs/personal-data.md#erasing", [/POST \/api\/v1\/erasures/, /scope `admin`/]],
];

it("the map is one click from the README, which stays short", () => {
  expect(read("README.md")).toContain("](docs/README.md)");
  expect(Buffer.byteLength(read("README.md"))).toBeLessThanOrEqual(12 * 1024);
});

it.each(QUESTIONS)(
  "%s is found in the map and answered one click further, at %s",
  (sought, target, answer) => {
    const asked = section(read("docs/README.md"), "asked-most")
      .split("\n")
      .filter((row) => row.startsWith("| "));
    const rows = asked.filter((row) => sought.test(row.split(" | ")[0] ?? ""));
    expect(rows).toHaveLength(1);
    const links = [...(rows[0] ?? "").matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => fromRoot(link ?? ""));
    expect(links).toContain(target);
    const [file = "", heading = ""] = target.split("#");
    const found = section(read(file), heading);
    for (const words of answer) expect(found).toMatch(words);
  },
);

it("every row of the map's questions leads to a section that is there", () => {
  const asked = section(read("docs/README.md"), "asked-most");
  for (const [, link = ""] of asked.matchAll(/\]\(([^)]+)\)/g)) {
    const [file = "", heading = ""] = fromRoot(link).split("#");
    expect([link, section(read(file), heading)]).not.toEqual([link, ""]);
  }
});

/** A link of docs/README.md as a path from the root. */
function fromRoot(link: string): string {
  return link.startsWith("../") ? link.slice("../".length) : `docs/${link}`;
}

/** What stands below a heading, to the next of its rank; "": there is none. */
function section(page: string, slug: string): string {
  const lines = page.split("\n");
  const rankOf = (line: string) => /^(#+) /.exec(line)?.[1]?.length ?? 0;
  let inCode = false;
  const headings = lines.map((line) => {
    if (line.startsWith("```")) inCode = !inCode;
    return inCode ? 0 : rankOf(line);
  });
  const from = lines.findIndex((line, place) => (headings[place] ?? 0) > 0 && slugOf(line) === slug);
  if (from === -1) return "";
  const rank = headings[from] ?? 0;
  const end = headings.findIndex((each, place) => place > from && each > 0 && each <= rank);
  return lines.slice(from + 1, end === -1 ? undefined : end).join("\n");
}

/** As the pages of a forge name a heading. */
function slugOf(heading: string): string {
  return heading
    .replace(/^#+ /, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, "")
    .replaceAll(" ", "-");
}
