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
