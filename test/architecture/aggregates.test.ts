import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const DOMAIN = resolve(import.meta.dirname, "../../domain");

it.each(["call", "campaign", "squad"])(
  "the aggregate %s has the same parts under the same names",
  (aggregate) => {
    const files = readdirSync(join(DOMAIN, aggregate)).filter((name) => name.endsWith(".ts"));
    expect(files).toEqual(
      expect.arrayContaining(
        ["events", "commands", "state", "evolve", "decide", "decider"].map((part) => `${part}.ts`),
      ),
    );
    const folds = files.filter((file) =>
      /^export function evolve[A-Z]\w*\(state: \w+State, event: \w+Event\)/m.test(
        readFileSync(join(DOMAIN, aggregate, file), "utf8"),
      ),
    );
    expect(folds).toContain("evolve.ts");
    expect(folds.filter((file) => !file.startsWith("evolve"))).toEqual([]);
  },
);

const rules = readdirSync(DOMAIN, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => [name, readFileSync(join(DOMAIN, name), "utf8")] as const);

it.each(["call", "campaign", "squad"])("that a %s must exist is said once, beside its state", (aggregate) => {
  const refusing = rules
    .filter(([, text]) => text.includes(`"${aggregate}.not-found"`))
    .map(([name]) => name);
  expect(refusing.toSorted()).toEqual([`${aggregate}/state.ts`, "shared/error-codes.ts"].toSorted());
  const [, state] = rules.find(([name]) => name === `${aggregate}/state.ts`) ?? [];
  expect(state).toMatch(/^export function existing\(state: \w+State\): Existing\w+ \{$/m);
});

it("the command or event of a type is named by Of alone", () => {
  expect(rules.length).toBeGreaterThan(100);
  const others = rules
    .filter(([, text]) => /Extract<\s*\w+(Command|Event),/.test(text))
    .map(([name]) => name);
  expect(others).toEqual([]);
});

it("the columns of contacts are read and changed by the functions of a row alone", () => {
  const column =
    /contacts\.(ids|numbers|zone|status|attempts|notPlaced|dueMillis|chunkRevision|noRetry|assistantFailed|zones|place|queues)\b|\}: ContactTable/;
  const sources = ["domain", "application"].flatMap((layer) =>
    readdirSync(join(DOMAIN, "..", layer), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(layer, name)),
  );
  const reading = sources.filter((file) => column.test(readFileSync(join(DOMAIN, "..", file), "utf8")));
  expect(reading.toSorted()).toEqual([
    "domain/campaign/contacts/contact-row.ts",
    "domain/campaign/contacts/contact-table.ts",
  ]);
});
