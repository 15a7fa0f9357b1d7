import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take a minute and more. They start first, the longest before all others, because one that
 * starts last would leave the other core idle. A fresh clone has no times of earlier runs, and would start
 * with the largest file.
 */
export const LONG_FILES = [
  "test/drills/crash-drills.test.ts",
  "test/drills/fault-drills.test.ts",
  "test/drills/twilio-drills.test.ts",
  "test/application/conversation/random-conversations.test.ts",
  "test/projections/read-models.test.ts",
  "test/programs/demo-stopping.test.ts",
  "test/api/contract.test.ts",
  "test/infrastructure/log/eventstoredb-contract.test.ts",
  "test/programs/demo.test.ts",
  // Uses both cores, so it must not run beside the drills.
  "test/simulation/random-campaigns.test.ts",
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
