import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

const files = ["domain", "application"].flatMap((layer) =>
  readdirSync(join(ROOT, layer), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(layer, name)),
);

it("no rule, no command and no setting of the engine knows how long a simulated minute is", () => {
  expect(files.length).toBeGreaterThan(300);
  const knowing = files.filter((file) =>
    /minuteMillis|SIMULATOR_/i.test(readFileSync(join(ROOT, file), "utf8")),
  );
  expect(knowing).toEqual([]);
});
