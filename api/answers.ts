import type { FastifyReply } from "fastify";

/** The success answer of all routes except the outbound start. */
export function data<Value>(value: Value) {
  return { success: true as const, data: value };
}

/** A download with texts of other people: if a browser opens it, nothing in it may run. */
export function asFile(reply: FastifyReply): FastifyReply {
  return reply.header("Content-Security-Policy", "sandbox");
}

type Given<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

/** The fields that a body gave; absent fields are left out. */
export function given<T extends object>(value: T): Given<T> {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries) as Given<T>;
}
