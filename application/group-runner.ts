type Waiting<Operation, Answer> = {
  readonly operation: Operation;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

type Group<Operation, Answer> = {
  /** One answer for each operation, in order. */
  readonly run: (operations: readonly Operation[]) => Promise<readonly Answer[]>;
  /** Largest weight of a group, by `weigh`; a single operation may be heavier. */
  readonly largest: number;
  /** Default: each operation counts one. */
  readonly weigh?: (operation: Operation) => number;
  /** Groups in flight at once; default 1. */
  readonly atOnce?: number;
  /** Whether the group's failure would be the failure of each operation alone as well. */
  readonly failsForAll: (error: unknown) => boolean;
};

/**
 * Runs operations that wait at the same time as one batch, at most `largest`; further ones gather while
 * `atOnce` batches are in flight. A batch begins after all of its operations were requested. When it fails
 * with an error that concerns all, all of them fail. Otherwise they are run one by one, so that one bad
 * operation does not affect the others.
 */
export function groupRunner<Operation, Answer>(
  group: Group<Operation, Answer>,
): (operation: Operation) => Promise<Answer> {
  const { atOnce = 1 } = group;
  const waiting: Waiting<Operation, Answer>[] = [];
  let running = 0;

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) await settle(group, nextGroup(group, waiting));
    running -= 1;
  };
  return (operation) =>
    new Promise((resolve, reject) => {
      waiting.push({ operation, resolve, reject });
      if (running >= atOnce) return;
      running += 1;
      // Operations of the same turn of the event loop join the first batch.
      setImmediate(() => void drain());
    });
}

function nextGroup<Operation, Answer>(
  { largest, weigh = () => 1 }: Group<Operation, Answer>,
  waiting: Waiting<Operation, Answer>[],
): readonly Waiting<Operation, Answer>[] {
  let weight = 0;
  const end = waiting.findIndex(({ operation }, index) => {
    weight += weigh(operation);
    return index > 0 && weight > largest;
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}

async function settle<Operation, Answer>(
  group: Group<Operation, Answer>,
  together: readonly Waiting<Operation, Answer>[],
): Promise<void> {
  try {
    const answers = await group.run(together.map(({ operation }) => operation));
    for (const [index, answer] of answers.entries()) together[index]?.resolve(answer);
  } catch (error) {
    if (together.length === 1 || group.failsForAll(error)) {
      for (const { reject } of together) reject(error);
      return;
    }
    for (const one of together) await settle(group, [one]);
  }
}
