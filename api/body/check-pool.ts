import { Worker } from "node:worker_threads";
import { ApiError } from "../errors.ts";
import { createGate } from "./body-gate.ts";
import type { CheckedBody } from "./check-json.ts";
import { type FromWorker, SLICED_LIST, type ToWorker } from "./check-protocol.ts";
import { type CheckTask, runCheck } from "./check-task.ts";

/** Bodies above this size leave the main thread: below it a check takes some milliseconds. */
const IN_PROCESS_BYTES = 128 * 1024;
const WORKERS = 2;
const WORKER_HEAP_MB = 512;

export type BodyChecks = {
  check(task: CheckTask, bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<CheckedBody>;
  close(): Promise<void>;
};

/** Threads that take bodies apart; begun when the first large one comes, at most two, and they keep no process alive. `bytes` of a large body are given away. */
export function createBodyChecks(): BodyChecks {
  const gate = createGate(WORKERS);
  const idle: Worker[] = [];
  const all = new Set<Worker>();

  return {
    check: async (task, bytes, signal) => {
      if (bytes.byteLength <= IN_PROCESS_BYTES) return runCheck(task, bytes);
      const leave = await gate.enter(signal);
      const worker = idle.pop() ?? startWorker(all);
      try {
        const checked = await checkIn(worker, task, bytes);
        if (all.has(worker)) idle.push(worker);
        return checked;
      } finally {
        leave();
      }
    },
    close: async () => {
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

function startWorker(all: Set<Worker>): Worker {
  const worker = new Worker(new URL("./check-worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB, maxYoungGenerationSizeMb: 8 },
  });
  worker.unref();
  all.add(worker);
  worker.once("exit", () => all.delete(worker));
  worker.on("error", () => all.delete(worker));
  return worker;
}

async function checkIn(
  worker: Worker,
  task: CheckTask,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<CheckedBody> {
  const first = await ask(worker, { kind: "check", task, bytes }, [bytes.buffer]);
  if (first.kind === "refused") return first.checked;
  if (first.kind !== "checked") throw new Error("A body check answered out of turn");
  if (!first.more) return { ok: true, value: first.value };
  const items: unknown[] = [];
  for (let more = true; more; ) {
    const slice = await ask(worker, { kind: "next" });
    if (slice.kind !== "slice") throw new Error("A body check answered out of turn");
    const part: unknown[] = JSON.parse(slice.json);
    for (const item of part) items.push(item);
    more = slice.more;
  }
  const rest = typeof first.value === "object" ? first.value : {};
  return { ok: true, value: { ...rest, [SLICED_LIST]: items } };
}

/** A worker that dies under a body (its memory is bounded) refuses that body alone. */
function ask(worker: Worker, message: ToWorker, transfer: ArrayBuffer[] = []): Promise<FromWorker> {
  return new Promise((resolve, reject) => {
    const done = () => {
      worker.off("message", onMessage);
      worker.off("error", onEnd);
      worker.off("exit", onEnd);
    };
    const onMessage = (answer: FromWorker) => {
      done();
      if (answer.kind === "failed") reject(new Error(`A body check failed: ${answer.message}`));
      else resolve(answer);
    };
    const onEnd = () => {
      done();
      reject(new ApiError("PAYLOAD_TOO_LARGE", "The body holds too many values to take apart"));
    };
    worker.on("message", onMessage);
    worker.on("error", onEnd);
    worker.on("exit", onEnd);
    worker.postMessage(message, transfer);
  });
}
