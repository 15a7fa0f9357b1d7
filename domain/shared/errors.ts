/** A command that the rules forbid. `code` is a stable name such as "campaign.not-pausable"; api/errors.ts gives it an HTTP status. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Ends a switch over a union: a new member that is not handled is a compile error. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
