import { Worker } from "node:worker_threads";
import type pg from "pg";
import {
  type PolicyVerifier,
  type VerificationResult,
  VerifierFailed,
  type VerifierTask,
  type Violation,
} from "../../application/ports/verifications.ts";

/** Where the log is. There is no key among it: nothing sealed can be opened. */
export type VerifiedLog =
  | { readonly kind: "postgres"; readonly connection: pg.ClientConfig }
  | { readonly kind: "eventstoredb"; readonly url: string; readonly prefix: string };

export type VerifierStart = { readonly log: VerifiedLog; readonly task: VerifierTask };

export type FromVerifier =
  | { readonly kind: "told"; readonly progress: number; readonly dials: number }
  | { readonly kind: "found"; readonly violations: readonly Violation[] }
  | { readonly kind: "done"; readonly result: VerificationResult }
  | { readonly kind: "failed"; readonly problem: string; readonly mayFollow: boolean };

/** Of objects; numbers of dials are in typed arrays, which are not counted. */
const HEAP_MB = 160;

/** A thread for each verification: a log that is too large for it ends the thread alone. */
export function verifierThread(log: VerifiedLog): PolicyVerifier {
  return {
    verify: (task, hears, signal) =>
      new Promise((resolve, reject) => {
        const { owner, judgedBy, from, until } = task;
        const start: VerifierStart = { log, task: { owner, judgedBy, from, until } };
        const worker = new Worker(new URL("./verifier-worker.ts", import.meta.url), {
          workerData: start,
          resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 48 },
        });
        const end = (settle: () => void) => {
          signal.removeEventListener("abort", stop);
          worker.removeAllListeners();
          worker.on("error", () => undefined);
          void worker.terminate().then(settle);
        };
        const stop = () => end(() => reject(new Error("It was stopped")));
        signal.addEventListener("abort", stop);
        worker.on("error", (error) => end(() => reject(new VerifierFailed(error.message))));
        worker.on("exit", () => end(() => reject(new VerifierFailed("Its thread ended"))));
        worker.on("message", (message: FromVerifier) => {
          if (message.kind === "told") hears.told(message);
          else if (message.kind === "found") hears.found(message.violations);
          else if (message.kind === "done") end(() => resolve(message.result));
          else {
            const { problem, mayFollow } = message;
            end(() => reject(mayFollow ? new Error(problem) : new VerifierFailed(problem)));
          }
        });
        if (signal.aborted) stop();
      }),
  };
}
