import { countOf, type FileResult, type RunResults, runResults } from "./run-results.ts";

/** More files than these do not fail by chance. */
const MOST_FILES = 3;
/** These files do not depend on the load of the machine: a failure there is real. */
const NEVER_BY_CHANCE = ["test/architecture/", "test/domain/", "test/golden/", "test/simulation/"];
/** A finding of a property, the auditor or a drill's judge is real, however rare. */
const FOUND = /Property failed|violat|rung|dialled twice|more than once|told twice/i;

/** How a drill says that its judge found problems. */
const JUDGED = /to deeply equal \[\]/;

/**
 * What a command with tests came to: what it wrote, null when it wrote nothing. One that ended with a failure
 * and names none failed outside of all files (a check, a crash of the runner).
 */
export function halfOf(status: number, written: string | null): RunResults {
  const { files, outside } = written === null ? NOTHING : runResults.parse(JSON.parse(written));
  const named = countOf({ files, outside }).failed > 0;
  return { files, outside: (status !== 0 || written === null) && !named ? 1 : outside };
}

const NOTHING: RunResults = { files: [], outside: 0 };

/** Halves that ran different files, as one run. */
export function joined(halves: readonly RunResults[]): RunResults {
  return {
    files: halves.flatMap(({ files }) => files),
    outside: halves.reduce((sum, { outside }) => sum + outside, 0),
  };
}

/** The files that may be run once more, alone; null: the failures were not by chance. */
export function secondTryOf(first: RunResults): readonly string[] | null {
  const failed = first.files.filter((result) => result.failed > 0);
  const mayBeChance = ({ file, said }: FileResult) =>
    !NEVER_BY_CHANCE.some((folder) => file.startsWith(folder)) &&
    !said.some((text) => FOUND.test(text) || (file.startsWith("test/drills/") && JUDGED.test(text)));
  if (first.outside > 0 || failed.length === 0 || failed.length > MOST_FILES) return null;
  return failed.every(mayBeChance) ? failed.map(({ file }) => file) : null;
}

/** Both runs as one: for files that were run again the second result counts. */
export function together(first: RunResults, second: RunResults): RunResults {
  const again = new Set(second.files.map(({ file }) => file));
  const kept = first.files.filter(({ file }) => !again.has(file));
  return { files: [...kept, ...second.files], outside: first.outside + second.outside };
}
