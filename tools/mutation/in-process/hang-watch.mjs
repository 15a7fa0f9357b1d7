import { writeFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

/**
 * Ends a process that a mutant keeps in an endless loop: it used this much processor time without a timer of
 * its main thread. The next process finds the name of the mutant, and reports a timeout. Processor time, so
 * that a busy machine does not matter.
 */
const MOST_MILLIS = 3_000;
const { turns, hungFile } = workerData;
let mutant = null;
let seen = 0;
let usedBefore = 0;

const used = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
parentPort.on("message", (told) => {
  mutant = told.mutant;
  usedBefore = used();
});
setInterval(() => {
  const now = Atomics.load(turns, 0);
  if (mutant === null || now !== seen) {
    seen = now;
    usedBefore = used();
  } else if (used() - usedBefore > MOST_MILLIS) {
    writeFileSync(hungFile, mutant);
    process.kill(process.pid, "SIGKILL");
  }
}, 500);
