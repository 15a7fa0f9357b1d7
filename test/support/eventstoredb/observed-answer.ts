import { z } from "zod";

export type ObservedError = { readonly type: string; readonly [field: string]: unknown };
/** A step's answer in the words of observed.json: `ok`, and its own fields or the error. */
export type StepAnswer = {
  readonly ok: boolean;
  readonly error?: ObservedError;
  readonly [field: string]: unknown;
};

/** An error that carries what was seen before it came (a subscription's events). */
export class ObservedFailure extends Error {
  readonly seen: object;

  constructor(cause: unknown, seen: object) {
    super("observed failure", { cause });
    this.seen = seen;
  }
}

/** `prefix`: what made the names of streams unique in this run, and is left out of the answer. */
export async function answerOf(prefix: string, work: Promise<object>): Promise<StepAnswer> {
  try {
    return { ok: true, ...(await work) };
  } catch (error) {
    const seen = error instanceof ObservedFailure ? error.seen : {};
    const cause = error instanceof ObservedFailure ? error.cause : error;
    return { ok: false, error: describe(prefix, cause), ...seen };
  }
}

const clientError = z.object({
  type: z.string().default("none"),
  code: z.number().nullable().default(null),
  message: z.string(),
  streamName: z.string().optional(),
  expectedVersion: z.unknown().optional(),
  actualVersion: z.unknown().optional(),
  maxAppendSize: z.number().optional(),
});

function describe(prefix: string, cause: unknown): ObservedError {
  const error = clientError.parse(cause);
  return {
    type: error.type,
    name: cause instanceof Error ? cause.constructor.name : "Error",
    code: error.code,
    ...(error.expectedVersion === undefined ? {} : { expectedVersion: String(error.expectedVersion) }),
    ...(error.actualVersion === undefined ? {} : { actualVersion: String(error.actualVersion) }),
    ...(error.streamName === undefined ? {} : { streamName: error.streamName.replace(prefix, "") }),
    ...(error.maxAppendSize === undefined ? {} : { maxAppendSize: error.maxAppendSize }),
    ...(error.type === "unknown" ? { message: error.message } : {}),
  };
}
