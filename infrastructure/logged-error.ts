/** A telephone number in E.164, also where a database or a library repeats it in a message. */
const NUMBER = /\+\d{7,15}/g;

/**
 * The parts of an error for a log line: kind, message, code, stack, and the table and constraint that
 * refused; the same of its cause. Nothing else, because PostgreSQL puts whole rows into its details ("Failing
 * row contains …"), with numbers, names and secrets.
 */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return {
    type: error.name === "Error" ? error.constructor.name : error.name,
    message: withoutNumbers(error.message),
    stack: withoutNumbers(error.stack ?? ""),
    ...textOf(error, "code"),
    ...textOf(error, "table"),
    ...textOf(error, "constraint"),
    ...(error.cause === undefined ? {} : { cause: loggedError(error.cause) }),
  };
}

function withoutNumbers(text: string): string {
  return text.replaceAll(NUMBER, "+…");
}

function textOf(error: Error, name: string): Readonly<Record<string, string>> {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? { [name]: withoutNumbers(value) } : {};
}
