type RunFile = {
  /** Relative to the repository. */
  readonly file: string;
  readonly passed: number;
  readonly failed: number;
  /** All its tests and hooks. */
  readonly millis: number;
};

const SUITES = [
  { name: "Browser suite", has: (file: string) => file.startsWith("test/dashboard/browser/") },
  { name: "Real telephone peers", has: (file: string) => file.endsWith(".peers.test.ts") },
];

/** A line for each suite that needs something which is not everywhere, and has run. */
export function suiteLines(files: readonly RunFile[]): string[] {
  return SUITES.flatMap(({ name, has }) => {
    const own = files.filter(({ file }) => has(file));
    if (own.length === 0) return [];
    const sum = (of: (file: RunFile) => number) => own.reduce((total, each) => total + of(each), 0);
    const seconds = Math.round(sum(({ millis }) => millis) / 1_000);
    return `${name}: ${sum(({ passed }) => passed)} passed, ${sum(({ failed }) => failed)} failed, ${own.length} files, ${seconds} s of one worker`;
  });
}

const SLOWEST = 12;

/**
 * Where the time of a run went: its longest files, in seconds of one worker. The place to begin when the run
 * has become too long.
 */
export function slowestLine(files: readonly RunFile[]): string {
  const total = files.reduce((sum, { millis }) => sum + millis, 0);
  const longest = files.toSorted((a, b) => b.millis - a.millis).slice(0, SLOWEST);
  const each = longest.map(
    ({ file, millis }) => `${Math.round(millis / 1_000)} ${file.replace(/^test\//, "")}`,
  );
  return `Seconds of one worker: ${Math.round(total / 1_000)} in all; ${each.join(", ")}`;
}
