import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const DOMAIN = resolve(import.meta.dirname, "../../domain");

it.each(["call", "campaign", "squad"])(
  "the aggregate %s has the same parts under the same names",
  (aggregate) => {
    const files = readdirSync(join(DOMAIN, aggregate));
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
