const LONGEST = 64;

/**
 * The function names of tools for the model, in their order: `[a-z0-9_]{1,64}`, from the tool's name; a name
 * that is taken gets `_2`, `_3` and so on. `reserved` names are taken from the start.
 */
export function functionNames(names: readonly string[], reserved: Iterable<string> = []): readonly string[] {
  const taken = new Set(reserved);
  return names.map((name) => {
    const free = freeName(slugOf(name), taken);
    taken.add(free);
    return free;
  });
}

function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ı", "i")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9_]+/g, "_")
    .slice(0, LONGEST)
    .replaceAll(/^_+|_+$/g, "");
  return slug === "" ? "tool" : slug;
}

/** `slug`, or with the first number that is free. */
export function freeName(slug: string, taken: ReadonlySet<string>): string {
  let name = slug;
  for (let number = 2; taken.has(name); number += 1) {
    const suffix = `_${number}`;
    name = `${slug.slice(0, LONGEST - suffix.length)}${suffix}`;
  }
  return name;
}
