import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks of /proc are hundredths of a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/**
 * Processor seconds of a process and all processes below it, ended children included: the cost of the work,
 * independent of other load on the machine. NaN without /proc.
 */
export function processorSeconds(pid: number): number {
  const stats = statsOfAll();
  const total = (one: number): number => {
    const own = stats.get(one);
    if (own === undefined) return 0;
    return (
      own.ticks + [...stats].reduce((sum, [each, { parent }]) => sum + (parent === one ? total(each) : 0), 0)
    );
  };
  return stats.has(pid) ? total(pid) / TICKS_PER_SECOND : Number.NaN;
}

type Stat = { readonly parent: number; readonly ticks: number };

function statsOfAll(): ReadonlyMap<number, Stat> {
  const stats = new Map<number, Stat>();
  for (const name of entriesOf("/proc")) {
    const pid = Number(name);
    const stat = Number.isInteger(pid) ? statOf(pid) : null;
    if (stat !== null) stats.set(pid, stat);
  }
  return stats;
}

/** proc(5): the name may contain anything, so the fields begin after the last bracket. */
function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [, parent = 0] = fields;
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
    return { parent, ticks };
  } catch {
    return null; // it has ended meanwhile
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
