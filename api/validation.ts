import type { FastifySchemaCompiler } from "fastify";
import { z } from "zod";
import { validationError } from "./errors.ts";
import { problemDetails } from "./problem-details.ts";

/**
 * Checks query and path with their zod schemas; bodies were checked before (api/bodies.ts). Errors name each
 * problem with its path.
 */
export const validatorCompiler: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) => {
  if (httpPart === "body" || !(schema instanceof z.ZodType)) return (value: unknown) => ({ value });
  return (value: unknown) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return { value: parsed.data };
    return { error: validationError("The query", problemDetails(parsed.error.issues)) };
  };
};
