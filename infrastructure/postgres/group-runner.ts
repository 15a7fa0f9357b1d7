import { isRetryableDatabaseError } from "./database-error.ts";

type Waiting<Operation, Answer> = {
  readonly operation: Operation;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Operations that wait at the same moment are run together, at most `largest` at once and one group after another. A group that fails because the
 * database was away fails for each of them; one that fails otherwise is run one by one, so that a wrong operation concerns nobody else.
 */
export function groupRunner<Operation, Answer>(
  run: (operations: readonly Operation[]) => Promise<readonly Answer[]>,
  largest: number,
): (operation: Operation) => Promise<Answer> {
  const waiting: Waiting<Operation, Answer>[] = [];
  let running = false;

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) await settle(run, waiting.splice(0, largest));
    running = false;
  };
  return (operation) =>
    new Promise((resolve, reject) => {
      waiting.push({ operation, resolve, reject });
      if (running) return;
      running = true;
      // What the same turn of the loop still asks for comes into the first group as well.
      setImmediate(() => void drain());
    });
}

async function settle<Operation, Answer>(
  run: (operations: readonly Operation[]) => Promise<readonly Answer[]>,
  group: readonly Waiting<Operation, Answer>[],
): Promise<void> {
  try {
    const answers = await run(group.map(({ operation }) => operation));
    for (const [index, answer] of answers.entries()) group[index]?.resolve(answer);
  } catch (error) {
    if (group.length === 1 || isRetryableDatabaseError(error)) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const one of group) await settle(run, [one]);
  }
}
