import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/** How the service sends SIMULATOR_TOKEN. */
export function tokenHeaders(token: string | null): Readonly<Record<string, string>> {
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** Refuses every request without the token, on any path: 401, before its body is read. */
export function requireToken(token: string) {
  const expected = digest(`Bearer ${token}`);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (timingSafeEqual(digest(request.headers.authorization ?? ""), expected)) return undefined;
    return reply.code(401).send({ message: "The request does not carry SIMULATOR_TOKEN" });
  };
}

/** All of one length, so that each comparison takes the same time. */
function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
