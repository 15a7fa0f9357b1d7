import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const DOMAIN = resolve(import.meta.dirname, "../../domain");

it.each(["call", "campaign", "squad"])(
  "the aggregate %s has the same parts under the same names",
  (aggregate) => {
    const files = readdirSync(join(DOMAIN, aggregate)).filter((name) => name.endsWith(".ts"));
    expect(files).toEqual(
      expect.arrayContaining(["events", "state", "evolve", "decider"].map((part) => `${part}.ts`)),
    );
    const folds = files.filter((file) =>
      /^export (function evolve[A-Z]\w*\(state: \w+State, event: \w+Event\)|const \w+: Folds<)/m.test(
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

it("a command is said once, by its rule: no file lists the commands of an aggregate, nor the types of its events", () => {
  const listing = /switch \((command|event)\.type\)|^export type \w+Command =\n\s+\| \{/m;
  const files = rules.filter(([name]) => /^(call|campaign|squad)\/|^event-kinds/.test(name));
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter(([, text]) => listing.test(text)).map(([name]) => name)).toEqual([]);
  const [, kinds] = files.find(([name]) => name === "event-kinds.ts") ?? [];
  expect(kinds).not.toMatch(/"[A-Z]|\b[A-Z]\w+: true/);
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
