import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../errors.ts";

/** Seed: when one of the three is missing, the message names all three. */
export function sayWhatIsRequired(names: readonly string[]) {
  return (error: unknown, _request: FastifyRequest, _reply: FastifyReply): never => {
    throw isMissingOne(error, names)
      ? new ApiError("VALIDATION_ERROR", `${listed(names)} are required`, { details: detailsOf(error) })
      : error;
  };
}

function isMissingOne(error: unknown, names: readonly string[]): error is ApiError {
  return (
    error instanceof ApiError &&
    detailsOf(error).some(
      ({ path, message }) =>
        message === "Required" &&
        (path.length === 0 || (path.length === 1 && names.includes(String(path[0])))),
    )
  );
}

function detailsOf({ body }: ApiError) {
  return typeof body.error === "string" ? [] : (body.error.details ?? []);
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}
