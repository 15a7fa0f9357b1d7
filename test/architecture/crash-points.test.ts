import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { storedTypes } from "../../infrastructure/log/stored/stored-types.ts";
import { DRILL_POINTS } from "../../simulation/drills/drill-points.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const WRAPPERS = "simulation/crash-points/";

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`);
}

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

it("crash points stand in wrappers around ports: no line that the engine runs names one", () => {
  const files = ["domain", "application", "infrastructure", "projections", "api"].flatMap(filesOf);
  expect(files.length).toBeGreaterThan(500);
  const naming = files.filter((file) => /crash-?point/i.test(read(file)));
  expect(naming).toEqual([]);
});

it("every point of a drill is one of a wrapper, or of an event that is stored", () => {
  const named = filesOf(WRAPPERS.slice(0, -1)).flatMap((file) =>
    [...read(file).matchAll(/around\(\s*["`]([\w.]+)/g)].map(([, effect = ""]) => effect),
  );
  expect(named.length).toBeGreaterThan(25);
  const effects = new Set(named);
  const types = new Set<string>(Object.keys(storedTypes));
  const points = DRILL_POINTS.flatMap(({ crashAt }) => crashAt);
  const unknown = points.filter((point) => {
    const effect = point.replace(/\.(before|after)$/, "");
    const [, port = "", refinement = ""] =
      /^(eventStore\.append\.|leases\.acquire\.)(\w+)$/.exec(effect) ?? [];
    if (port === "eventStore.append.") return !effects.has(port) || !types.has(refinement);
    return effect === point || !effects.has(port === "" ? effect : port);
  });
  expect(unknown).toEqual([]);
});
