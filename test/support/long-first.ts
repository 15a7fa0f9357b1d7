import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longest. They start first, the longest before all others, because one that
 * starts last would leave the other core idle. A fresh clone has no times of earlier runs, and would start
 * with the largest file.
 */
export const LONG_FILES = [
  "test/drills/crash-drills.test.ts",
  "test/drills/fault-drills.test.ts",
  "test/drills/twilio-drills.test.ts",
  "test/programs/demo-stopping.test.ts",
  "test/infrastructure/postgres/embedded/crashes.test.ts",
  "test/infrastructure/postgres/embedded/embedded-postgres.test.ts",
  "test/infrastructure/log/eventstoredb-contract.test.ts",
  "test/programs/demo.test.ts",
  "test/client/client.python.test.ts",
  "test/client/package.test.ts",
  "test/api/slow-log.test.ts",
  // From here on those of the first half.
  "test/api/contract.test.ts",
  "test/api/erasures.test.ts",
  "test/api/large-bodies.test.ts",
  "test/simulation/known-seeds.test.ts",
  // Takes as long as it may, on all cores.
  "test/simulation/random-campaigns.test.ts",
  "test/application/conversation/random-conversations.test.ts",
  "test/infrastructure/connections/check-postgres.test.ts",
];

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const place = LONG_FILES.findIndex((file) => moduleId.endsWith(`/${file}`));
      if (place !== -1) return place;
      // Files that share processes run one after the other: a process ends when the next
      // file is not one of them.
      return project.config.isolate ? LONG_FILES.length : LONG_FILES.length + 1;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
