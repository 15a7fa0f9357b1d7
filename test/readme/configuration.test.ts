import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { documentedVariables } from "../../infrastructure/environment.ts";
import manifest from "../../package.json" with { type: "json" };

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const tableOf = (page: string) => [...page.matchAll(/^\| `[A-Z_]+` \|.*$/gm)].map(([row]) => row);

it("docs/configuration.md tells every variable as --help does", () => {
  const rows = documentedVariables().map(
    ({ name, default: preset, meaning }) => `| \`${name}\` | ${preset ?? "–"} | ${meaning} |`,
  );
  expect(tableOf(read("docs/configuration.md"))).toEqual(rows);
});

it("the README's table is a part of it", () => {
  const all = tableOf(read("docs/configuration.md"));
  const rows = tableOf(read("README.md"));
  expect(rows.length).toBeGreaterThan(5);
  expect(all).toEqual(expect.arrayContaining(rows));
});

it("the unit file of docs/operation.md starts what npm start does, and stops only it", () => {
  const unit = read("docs/operation.md").split("```ini\n")[1]?.split("```")[0] ?? "";
  const [, ...args] = manifest.scripts.start.split(" ");
  expect(unit).toContain(`ExecStart=/opt/ringfold/node_modules/.bin/node ${args.join(" ")}\n`);
  expect(unit).toMatch(/^KillMode=mixed$/m);
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(12);
});
