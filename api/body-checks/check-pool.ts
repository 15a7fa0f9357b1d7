import { Worker } from "node:worker_threads";
import { createGate } from "../body/body-gate.ts";
import type { CheckedBody } from "../body/check-json.ts";
import type { BodyChecks, CheckTask, FromWorker, ToWorker } from "../body/check-protocol.ts";
import { tooManyValues } from "../errors.ts";
import { runCheck } from "./check-task.ts";

/**
 * Larger bodies are checked in a worker: below this size a check takes some milliseconds. Reading a number
 * with a default country takes half a millisecond.
 */
const IN_PROCESS_BYTES = { json: 128 * 1024, csv: 4 * 1024 };
const WORKERS = 2;
const WORKER_HEAP_MB = 256;

/**
 * Worker threads that parse bodies. They start with the first large body, are at most two with one for an
 * owner, and do not keep the process alive. `bytes` of a large body are transferred.
 */
export function createBodyChecks(): BodyChecks {
  const gate = createGate(WORKERS);
  const idle: Worker[] = [];
  const all = new Set<Worker>();

  return {
    check: async (task, bytes, signal, owner) => {
      const most = task.kind === "csv" ? IN_PROCESS_BYTES.csv : IN_PROCESS_BYTES.json;
      if (bytes.byteLength <= most) return runCheck(task, bytes);
      const leave = await gate.enter(owner, signal);
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

/** A worker that dies because of a body (its memory is bounded) fails only that body. */
function checkIn(worker: Worker, task: CheckTask, bytes: Uint8Array<ArrayBuffer>): Promise<CheckedBody> {
  return new Promise((resolve, reject) => {
    const slices = new Map<string, Uint8Array[]>();
    const done = () => {
      worker.off("message", onMessage);
      worker.off("error", onEnd);
      worker.off("exit", onEnd);
    };
    const onMessage = (message: FromWorker) => {
      if (message.kind === "slice") {
        const before = slices.get(message.list);
        if (before === undefined) slices.set(message.list, [message.json]);
        else before.push(message.json);
        return;
      }
      done();
      if (message.kind === "failed") reject(new Error(`A body check failed: ${message.message}`));
      else resolve(withLists(message.checked, slices));
    };
    const onEnd = () => {
      done();
      reject(tooManyValues());
    };
    worker.on("message", onMessage);
    worker.on("error", onEnd);
    worker.on("exit", onEnd);
    const message: ToWorker = { task, bytes };
    worker.postMessage(message, [bytes.buffer]);
  });
}

const utf8 = new TextDecoder();

function withLists(checked: CheckedBody, slices: ReadonlyMap<string, readonly Uint8Array[]>): CheckedBody {
  if (!checked.ok || slices.size === 0) return checked;
  const rest = typeof checked.value === "object" ? checked.value : {};
  const lists = Object.fromEntries([...slices].map(([name, of]) => [name, itemsOf(of)]));
  return { ok: true, value: { ...rest, ...lists } };
}

/** Each iteration parses the JSON again. */
function itemsOf(slices: readonly Uint8Array[]): Iterable<unknown> {
  return {
    *[Symbol.iterator]() {
      for (const slice of slices) {
        const items: unknown[] = JSON.parse(utf8.decode(slice));
        yield* items;
      }
    },
  };
}
