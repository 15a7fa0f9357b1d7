import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { EVENT_BODIES } from "../../contract/webhook-body.ts";
import { ALL_KINDS } from "../../domain/webhook/kinds.ts";

const page = readFileSync(join(resolve(import.meta.dirname, "../.."), "docs/webhooks.md"), "utf8");
const rows = page.split("\n").filter((line) => /^\| `(call|campaign|number)\.\w+` \|/.test(line));

it("docs/webhooks.md has a row for each kind of webhook", () => {
  expect(rows.map((row) => /`([^`]+)`/.exec(row)?.[1])).toEqual(ALL_KINDS);
});

it.each(ALL_KINDS)("docs/webhooks.md names every field of %s", (kind) => {
  const fields = Object.keys(EVENT_BODIES.get(kind)?.shape.data.shape ?? {});
  expect(fields.length).toBeGreaterThan(4);
  const named = rows.join("\n");
  expect(fields.filter((field) => !named.includes(`\`${field}\``))).toEqual([]);
});
