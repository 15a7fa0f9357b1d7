import { writeFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

/**
 * Ends a process whose loop is held for ever by a mutant: it used so much processor time while no timer of its main thread came. The next process
 * finds the name of the mutant, and answers that it timed out. Processor time, so that a busy machine does not count.
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
