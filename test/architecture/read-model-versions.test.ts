import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { READ_SCHEMA, tableName } from "../../projections/engine/projection.ts";
import { BACKGROUND_MODELS, readModelsFor } from "../../projections/read-models.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const MODELS = [...readModelsFor("esdb://every-model", { comparePositions: () => 0 }), ...BACKGROUND_MODELS];

// Schemas of tables and queries name a table by its text, so the compiler cannot tell that the version was
// raised in one of them only.
it("names every table of a read model at the version of its projection", () => {
  const tables = new Set(
    MODELS.flatMap((model) => model.tables.map((table) => `${READ_SCHEMA}.${tableName(model, table)}`)),
  );
  const named = readdirSync(join(ROOT, "projections"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.startsWith("engine/"))
    .flatMap(
      (name) => readFileSync(join(ROOT, "projections", name), "utf8").match(/\bread\.\w+_v\d+/g) ?? [],
    );
  expect([...tables].filter((table) => !named.includes(table))).toEqual([]);
  expect(named.filter((table) => !tables.has(table))).toEqual([]);
});
