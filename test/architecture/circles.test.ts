import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const FOLDERS = [
  "domain",
  "application",
  "infrastructure",
  "simulation",
  "api",
  "projections",
  "composition",
  "programs",
  "client",
  "dashboard/src",
  "bench",
  "test",
];
/** In these the folders beside each other are rooms with doors: no circle between them either. */
const LAYERS = ["domain", "application", "infrastructure", "simulation", "api", "projections"];

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name)),
);
const known = new Set(files);
const imports: Graph = new Map(files.map((file) => [file, new Set(importsOf(file))]));

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const statements =
    /(?:^|\n)\s*(?:import|export)\b[^"';]*?from\s*"(\.[^"]+)"|(?:^|\n)\s*import\s*"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"/g;
  return [...text.matchAll(statements)]
    .map((match) => relative(ROOT, resolve(ROOT, dirname(file), match[1] ?? match[2] ?? match[3] ?? "")))
    .filter((target) => known.has(target));
}

/**
 * One graph for each folder: its files and its folders, each with all that lies in it, and what they import
 * of one another. Two rooms that import each other are one room with a wall through it.
 */
function graphsOfFolders(): Graph[] {
  const graphs = new Map<string, Map<string, Set<string>>>();
  for (const [file, targets] of imports) {
    for (const target of targets) {
      const [from, to] = [file.split("/"), target.split("/")];
      const shared = from.findIndex((name, index) => name !== to[index]);
      const folder = from.slice(0, shared).join("/");
      if (!LAYERS.some((layer) => folder === layer || folder.startsWith(`${layer}/`))) continue;
      const graph = graphs.get(folder) ?? new Map<string, Set<string>>();
      graphs.set(folder, graph);
      const key = from.slice(0, shared + 1).join("/");
      graph.set(key, (graph.get(key) ?? new Set()).add(to.slice(0, shared + 1).join("/")));
    }
  }
  return [...graphs.values()];
}

/** A way from a node back to itself; null: there is none. */
function circleIn(graph: Graph): string[] | null {
  const done = new Set<string>();
  const visit = (node: string, way: readonly string[]): string[] | null => {
    if (way.includes(node)) return [...way.slice(way.indexOf(node)), node];
    if (done.has(node)) return null;
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...way, node]);
      if (circle !== null) return circle;
    }
    done.add(node);
    return null;
  };
  for (const node of graph.keys()) {
    const circle = visit(node, []);
    if (circle !== null) return circle;
  }
  return null;
}

describe("imports", () => {
  it("are read whole: this test looked at the files it speaks of", () => {
    expect(files.length).toBeGreaterThan(1_800);
    expect([...imports.values()].reduce((sum, { size }) => sum + size, 0)).toBeGreaterThan(files.length * 2);
  });

  it("find a circle where there is one", () => {
    const graph = new Map([
      ["a", new Set(["b"])],
      ["b", new Set(["c"])],
      ["c", new Set(["b"])],
    ]);
    expect(circleIn(graph)).toEqual(["b", "c", "b"]);
  });

  it("make no circle of files", () => {
    expect(circleIn(imports)).toBeNull();
  });

  it("make no circle of folders and files that lie beside each other in a layer", () => {
    expect(graphsOfFolders().flatMap((graph) => circleIn(graph) ?? [])).toEqual([]);
  });
});
