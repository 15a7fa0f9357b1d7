import { z } from "zod";

/** What one test file came to. */
const fileResult = z.object({
  /** Relative to the repository. */
  file: z.string(),
  passed: z.int(),
  /** Tests that failed; 1 when the file could not be read, or a hook failed. */
  failed: z.int(),
  /** What each failure said, whole. */
  said: z.array(z.string()),
});

export const runResults = z.object({
  files: z.array(fileResult),
  /** Failures outside of any file. */
  outside: z.int(),
});

export type FileResult = z.infer<typeof fileResult>;
export type RunResults = z.infer<typeof runResults>;

export function countOf({ files, outside }: RunResults): { passed: number; failed: number } {
  const sum = (of: (result: FileResult) => number) => files.reduce((total, result) => total + of(result), 0);
  return { passed: sum(({ passed }) => passed), failed: sum(({ failed }) => failed) + outside };
}

/** The last line of a run, and of .ci/run. */
export function countLine(results: RunResults): string {
  const { passed, failed } = countOf(results);
  return `${passed} passed, ${failed} failed`;
}
