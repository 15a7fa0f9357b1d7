import type { ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";

/** One request and its answer on the wire. */
export type Exchange = {
  /** Aborts when the client goes away before its answer is out. */
  readonly signal: () => AbortSignal;
  /** Runs when the answer is out, or the client is gone; possibly twice. */
  readonly afterwards: (then: () => void) => void;
};

export function createExchange(response: ServerResponse): Exchange {
  let controller: AbortController | null = null;
  return {
    signal: () => {
      controller ??= abortingWith(response);
      return controller.signal;
    },
    afterwards: (then) => {
      response.once("finish", then);
      response.once("close", then);
    },
  };
}

function abortingWith(response: ServerResponse): AbortController {
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort(new Error("The client went away"));
  });
  return controller;
}

export function exchangeOf(request: FastifyRequest): Exchange {
  if (request.exchange === null) throw new Error("The request came by no hook");
  return request.exchange;
}
