import type { ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";

/** A request and its answer. */
export type Exchange = {
  /**
   * Aborts when the client goes away before its answer is sent; it is already aborted if the client has gone.
   */
  readonly signal: () => AbortSignal;
  /** Runs once, when the answer is sent or the client is gone; at once if that has happened already. */
  readonly afterwards: (then: () => void) => void;
};

export function createExchange(response: ServerResponse): Exchange {
  let controller: AbortController | null = null;
  return {
    signal: () => {
      controller ??= abortingWith(response);
      return controller.signal;
    },
    afterwards: (then) => afterwards(response, then),
  };
}

/** A client may go while its request waits; listeners added later do not hear of that. */
function afterwards(response: ServerResponse, then: () => void): void {
  if (response.destroyed || response.writableFinished) {
    then();
    return;
  }
  const end = () => {
    response.off("finish", end).off("close", end);
    then();
  };
  response.once("finish", end).once("close", end);
}

function abortingWith(response: ServerResponse): AbortController {
  const controller = new AbortController();
  afterwards(response, () => {
    if (!response.writableFinished) controller.abort(new Error("The client went away"));
  });
  return controller;
}

export function exchangeOf(request: FastifyRequest): Exchange {
  if (request.exchange === null) throw new Error("The request came by no hook");
  return request.exchange;
}
