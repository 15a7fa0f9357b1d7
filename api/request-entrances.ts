import type { FastifyRequest } from "fastify";
import type { CarrierRequest, RequestEntrance } from "../application/ports/entrances.ts";
import type { Api } from "./api.ts";
import { upgradeRequest } from "./upgrade-request.ts";

const BODY_BYTES = 64 * 1024;

/** Routes outside of /api/v1 for carriers. Their bodies are not parsed, because some carriers sign them. */
export function registerRequestEntrances(api: Api, entrances: readonly RequestEntrance[]): void {
  if (entrances.length === 0) return;
  api.register(async (scoped: Api) => {
    scoped.removeAllContentTypeParsers();
    scoped.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    for (const entrance of entrances) registerEntrance(scoped, entrance);
  });
}

function registerEntrance(api: Api, entrance: RequestEntrance): void {
  api.route({
    method: entrance.method,
    url: entrance.path,
    exposeHeadRoute: false,
    bodyLimit: BODY_BYTES,
    schema: { hide: true },
    config: { quietAt: [200, 204] },
    handler: async (request, reply) => {
      const { status, contentType, body } = await entrance.answer(carrierRequest(request));
      reply.code(status);
      if (contentType !== null) reply.type(contentType);
      return reply.send(body);
    },
  });
}

function carrierRequest(request: FastifyRequest): CarrierRequest {
  const { method, body } = request;
  return {
    ...upgradeRequest(request),
    method,
    rawBody: Buffer.isBuffer(body) ? body : new Uint8Array(),
  };
}
