import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

/**
 * What each room may import beside itself; the table of docs/architecture.md §1 says the same. The
 * longest name that fits counts: campaigns and drills of the simulation run whole processes, and its memory
 * makes keys and hashes as the stores do.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  contract: ["domain"],
  application: ["contract", "domain"],
  infrastructure: ["application", "contract", "domain"],
  projections: ["application", "contract", "domain"],
  api: ["application", "contract", "domain", "projections"],
  simulation: ["application", "contract", "domain"],
  "simulation/memory": ["application", "contract", "domain", "infrastructure"],
  "simulation/campaigns": ["application", "composition", "contract", "domain", "infrastructure"],
  "simulation/drills": ["application", "composition", "contract", "domain", "infrastructure", "projections"],
  composition: ["api", "application", "contract", "domain", "infrastructure", "projections", "simulation"],
  programs: [
    "api",
    "application",
    "client",
    "composition",
    "contract",
    "domain",
    "infrastructure",
    "projections",
    "simulation",
  ],
};

/** Whoever opens a WebSocket does it here, the played world too. */
const SOCKETS = "infrastructure/http/client-socket.ts";

/** Packages by room; the others choose their own. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  domain: ["luxon", "libphonenumber-js", "libphonenumber-js/max"],
  application: [],
  contract: ["zod"],
};

/** Files of infrastructure that touch nothing and serve only such files: they may only become fewer. */
const MOST_INNER_PURE_FILES = 41;

type Import = { readonly file: string; readonly target: string; readonly text: string };

const top = (path: string): string => path.split("/")[0] ?? "";
const ROOMS = Object.keys(MAY_IMPORT);
const FOLDERS = ROOMS.filter((room) => !room.includes("/"));

function roomOf(file: string): string {
  const fitting = ROOMS.filter((room) => file.startsWith(`${room}/`));
  return fitting.toSorted((a, b) => b.length - a.length)[0] ?? "";
}

const texts: ReadonlyMap<string, string> = new Map(
  FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => [`${folder}/${name}`, readFileSync(join(ROOT, folder, name), "utf8")] as const),
  ),
);

function importsOf(file: string, text: string): Import[] {
  const statements =
    /(?:^|\n)\s*(?:import|export)\b[^"';]*?from\s*"([^"]+)"|(?:^|\n)\s*import\s*"([^"]+)"|\bimport\(\s*"([^"]+)"/g;
  return [...text.matchAll(statements)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? "";
    const target = specifier.startsWith(".")
      ? relative(ROOT, resolve(ROOT, dirname(file), specifier))
      : specifier;
    return { file, target, text: match[0] };
  });
}

const imports = [...texts].flatMap(([file, text]) => importsOf(file, text));
const ours = imports.filter(({ target }) => target.endsWith(".ts") && existsSync(join(ROOT, target)));

describe("the rooms", () => {
  it("are read whole: this test looked at the files it speaks of", () => {
    for (const room of ROOMS)
      expect([...texts.keys()].filter((file) => roomOf(file) === room).length, room).toBeGreaterThanOrEqual(
        8,
      );
    expect(ours.length).toBeGreaterThan(texts.size);
  });

  it("import only what the table allows", () => {
    const wrong = ours.filter(({ file, target }) => {
      const allowed = MAY_IMPORT[roomOf(file)] ?? [];
      return top(target) !== top(file) && !allowed.includes(top(target)) && target !== SOCKETS;
    });
    expect(wrong).toEqual([]);
  });

  it("are told by docs/architecture.md as by this table", () => {
    const page = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
    const told = [...page.matchAll(/^\| `([\w/]+)\/` may import \| ([^|]*) \|$/gm)].map(
      ([, room = "", list = ""]) => [room, [...list.matchAll(/`([\w/]+)`/g)].map(([, name = ""]) => name)],
    );
    expect(Object.fromEntries(told)).toEqual(MAY_IMPORT);
  });

  it("take only the packages that are theirs", () => {
    const packages = imports.filter(({ target }) => !existsSync(join(ROOT, target)));
    const wrong = packages.filter(({ file, target }) => PACKAGES[top(file)]?.includes(target) === false);
    expect(wrong).toEqual([]);
  });

  it("take of the contract only types, but for what answers and asks over HTTP", () => {
    const values = ours.filter(
      ({ file, target, text }) =>
        top(target) === "contract" && top(file) !== "contract" && !/^\s*(import|export) type\b/.test(text),
    );
    const rooms = new Set(values.map(({ file }) => top(file)));
    expect([...rooms].toSorted()).toEqual(["api", "programs"]);
  });

  it("leave the composition to programs, and to what runs whole processes", () => {
    const rooms = new Set(
      ours.filter(({ target }) => top(target) === "composition").map(({ file }) => roomOf(file)),
    );
    rooms.delete("composition");
    expect([...rooms].toSorted()).toEqual(["programs", "simulation/campaigns", "simulation/drills"]);
  });
});

describe("infrastructure touches the outside", () => {
  const TOUCHES = /\b(process\.|fetch\(|Buffer\.|setTimeout|performance\.|Date\.now|WebSocket)/;
  const files = [...texts].filter(([file]) => top(file) === "infrastructure");
  const isPure = new Map(
    files.map(([file, text]) => [
      file,
      !TOUCHES.test(text) && importsOf(file, text).every(({ target }) => target.endsWith(".ts")),
    ]),
  );

  it("each of its folders has a file that imports a package, or the platform", () => {
    const folders = Map.groupBy(files, ([file]) => file.split("/").slice(0, -1).slice(0, 2).join("/"));
    const wrong = [...folders].filter(([, inside]) => inside.every(([file]) => isPure.get(file)));
    expect(wrong.map(([folder]) => folder)).toEqual([]);
  });

  it("few files of it are only rules for rules", () => {
    const importers = Map.groupBy(ours, ({ target }) => target);
    const inner = files.filter(([file]) => {
      const from = importers.get(file) ?? [];
      return isPure.get(file) && from.length > 0 && from.every((each) => isPure.get(each.file) === true);
    });
    expect(inner.length).toBeLessThanOrEqual(MOST_INNER_PURE_FILES);
  });
});

it("a service with another carrier does not load the simulation: composition names it in types and import() only", () => {
  const staticOnes = ours.filter(
    ({ file, target, text }) =>
      top(file) === "composition" &&
      file !== "composition/open-simulator.ts" &&
      (top(target) === "simulation" || target === "composition/open-simulator.ts") &&
      !/^\s*import type\b/.test(text) &&
      !/^import\(/.test(text.trim()),
  );
  expect(staticOnes).toEqual([]);
});

it("a rehearsal has the conversations of calls, by their one door: no step of them is taken anywhere else", () => {
  const ofRehearsal = ours.filter(({ file }) => file.startsWith("application/rehearsal/"));
  const targets = new Set(ofRehearsal.map(({ target }) => target));
  const entered = [...targets].filter((target) => dirname(target) === "application/conversation");
  expect(entered).toEqual(["application/conversation/conversations.ts"]);
  const MACHINE = ["step", "state", "move", "effects", "inputs", "past"];
  expect(MACHINE.filter((name) => targets.has(`domain/conversation/${name}.ts`))).toEqual([]);
  const steps = ours.filter(({ target }) => target === "domain/conversation/step.ts").map(({ file }) => file);
  expect(steps).toEqual(["application/conversation/conversation-loop.ts"]);
});

describe("the environment", () => {
  it("is read by infrastructure/config.ts alone", () => {
    const LAYERS = ["domain", "application", "infrastructure", "api", "projections", "composition"];
    const readers = [...texts]
      .filter(([file, text]) => LAYERS.includes(top(file)) && /process\.env\b/.test(text))
      .map(([file]) => file);
    expect(readers).toEqual(["infrastructure/config.ts"]);
  });
});

describe("a WebSocket", () => {
  it("is opened in one file, where frames are bounded and never compressed", () => {
    const openers = [...texts]
      .filter(([, text]) => /\bnew WebSocket(Stream)?\(/.test(text))
      .map(([file]) => file);
    expect(openers).toEqual([SOCKETS]);
  });
});
