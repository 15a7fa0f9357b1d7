import type { FastifyReply } from "fastify";
import { z } from "zod";

/** The success answer of everything but the outbound start. */
export function data<Value>(value: Value) {
  return { success: true as const, data: value };
}

/** A file with what others said or wrote: opened in a browser, nothing in it runs. */
export function asFile(reply: FastifyReply): FastifyReply {
  return reply.header("Content-Security-Policy", "sandbox");
}

export const pathParams = <Name extends string>(...names: readonly Name[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, z.string()])) as Record<Name, z.ZodString>);

type Given<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

/** The fields that a body gave; what it left out is not there at all. */
export function given<T extends object>(value: T): Given<T> {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries) as Given<T>;
}
