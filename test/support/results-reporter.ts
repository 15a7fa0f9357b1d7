import { writeFileSync } from "node:fs";
import process from "node:process";
import type { Reporter, TestModule } from "vitest/node";
import { canLimitDisks } from "./drills/limited-disk.ts";

/** Says in the run's last lines what passed at a second try only, what was not registered and how much passed; leaves the count in RESULTS_FILE for .ci/run. */
export function resultsReporter(): Reporter {
  return {
    onTestRunEnd: (modules, unhandledErrors) => {
      const states = modules.flatMap((module) =>
        [...module.children.allTests()].map((test) => test.result().state),
      );
      const passed = states.filter((state) => state === "passed").length;
      const failed =
        states.filter((state) => state === "failed").length +
        modules.filter(failedToLoad).length +
        unhandledErrors.length;
      for (const line of [...secondTries(modules), ...notRegistered()]) process.stdout.write(`${line}\n`);
      const count = `${passed} passed, ${failed} failed`;
      process.stdout.write(`${count}\n`);
      const file = process.env["RESULTS_FILE"];
      if (file !== undefined) writeFileSync(file, `${count}\n`);
    },
  };
}

/** A file that could not be read has no tests that could fail. */
function failedToLoad(module: TestModule): boolean {
  return !module.ok() && [...module.children.allTests()].every((test) => test.result().state === "passed");
}

/** A failure all the same, for whoever reads on: with what it said. */
function secondTries(modules: readonly TestModule[]): string[] {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  return tests
    .filter((test) => test.diagnostic()?.flaky)
    .map((test) => {
      const [first] = test.result().errors ?? [];
      return `Passed at the second try only: ${test.module.moduleId} > ${test.fullName}\n${first?.message ?? ""}`;
    });
}

function notRegistered(): string[] {
  const lines: string[] = [];
  if (process.env["TEST_EVENTSTORE_URL"] === undefined)
    lines.push(
      "Not registered: the tests that need a real EventStoreDB. `docker compose -f docker-compose.eventstoredb.yml up`, then run them with TEST_EVENTSTORE_URL=esdb://127.0.0.1:2113?tls=false",
    );
  if (!canLimitDisks())
    lines.push(
      "Not registered: the drill on a full disk. It needs Linux, root, and the right to mount a tmpfs.",
    );
  return lines;
}
