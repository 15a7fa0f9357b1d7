type Waiting<Operation, Answer> = {
  readonly operation: Operation;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

type Group<Operation, Answer> = {
  /** One answer for each operation, in their order. */
  readonly run: (operations: readonly Operation[]) => Promise<readonly Answer[]>;
  /** Of a group, in what `weigh` counts; a single operation may be larger. */
  readonly largest: number;
  /** Default: each counts one. */
  readonly weigh?: (operation: Operation) => number;
  /** Groups under way at the same time; default 1. */
  readonly atOnce?: number;
  /** Whether what a group failed with would fail each of its operations alone as well. */
  readonly failsForAll: (error: unknown) => boolean;
};

/**
 * Operations that wait at the same moment are run together, at most `largest` in one group; what comes while `atOnce` groups are under way gathers for
 * the next. A group begins after everything in it was asked for. A group that fails for all fails for each of them; one that fails otherwise is run one by one, so that a wrong operation
 * concerns nobody else.
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
      // What the same turn of the loop still asks for comes into the first group as well.
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
