import { execFileSync } from "node:child_process";
import { type Program, type ProgramEnd, SERVICE, startProgram } from "./program.ts";

/** The service under a supervisor: when it is killed, it is restarted. */
export type SupervisedService = {
  /** Its current address; waits while it starts. Rejects when it ended by itself. */
  readonly url: () => Promise<string>;
  /** Deaths by SIGKILL so far. */
  readonly deaths: () => number;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** It is suspended (SIGSTOP). */
  readonly standsStill: () => boolean;
  readonly stop: () => Promise<ProgramEnd>;
};

/**
 * Starts the service, and again after each SIGKILL: the n-th start with the n-th `CRASH_AT`, those after the
 * last without any. Any other unrequested end is a failure: `url` rejects from then on.
 */
export function superviseService(options: {
  readonly env: Readonly<Record<string, string>>;
  readonly crashAt: readonly string[];
  readonly logFile: string;
}): SupervisedService {
  const { env, crashAt, logFile } = options;
  let deaths = 0;
  let failure: Error | null = null;
  let stopping = false;

  const start = (): Program => {
    const point = crashAt[deaths];
    const program = startProgram(SERVICE, point === undefined ? env : { ...env, CRASH_AT: point }, logFile);
    void program.exited.then(({ code, signal }) => {
      if (stopping) return;
      if (signal === "SIGKILL") {
        deaths += 1;
        current = start();
      } else failure = new Error(`The service ended by itself with ${signal ?? code}; see ${logFile}`);
    });
    return program;
  };
  let current = start();

  const url = async (): Promise<string> => {
    for (;;) {
      if (failure !== null) throw failure;
      const asked = current;
      const listening = await asked.listening.catch(() => null);
      if (listening !== null) return listening;
      await asked.exited;
      if (stopping) throw new Error("The service was stopped");
    }
  };

  return {
    url,
    deaths: () => deaths,
    signal: (name) => current.signal(name),
    standsStill: () => processState(current.pid).startsWith("T"),
    stop: () => {
      stopping = true;
      return current.stop();
    },
  };
}

/** As `ps` shows it: T is stopped. */
function processState(pid: number): string {
  return execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).trim();
}
