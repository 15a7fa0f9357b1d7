import { setTimeout as delay } from "node:timers/promises";
import type streams from "@eventstore/db-client/generated/streams_pb.js";
import type { ServerWritableStream, ServiceError } from "@grpc/grpc-js";
import * as errors from "./errors.ts";
import type { FaultState, ReadFault } from "./faults.ts";

export type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

/**
 * One open answer: waits for the consumer (backpressure), for a frozen server and for the injected slowness.
 */
export interface Outgoing {
  /** False once the answer is over (the client left, or the stream was ended). */
  send(message: streams.ReadResp): Promise<boolean>;
  fail(error: ServiceError): void;
  finish(): void;
  readonly over: boolean;
  onOver(listener: () => void): void;
}

export type OutgoingOptions = {
  readonly fault: ReadFault | undefined;
  readonly subscription: boolean;
  readonly onSent: () => void;
};

export function openOutgoing(
  call: ReadCall,
  state: FaultState,
  { fault, subscription, onSent }: OutgoingOptions,
): Outgoing {
  let left = typeof fault === "object" ? fault.breakAfter : Number.POSITIVE_INFINITY;
  let over = false;
  const listeners: (() => void)[] = [];
  const close = (): void => {
    over = true;
    deregister();
    for (const listener of listeners.splice(0)) listener();
  };
  const fail = (error: ServiceError): void => {
    if (over) return;
    close();
    call.emit("error", error);
  };
  const deregister = state.registerStream({
    subscription,
    drop: () => fail(errors.consumerTooSlow()),
    breakOff: () => fail(errors.unavailable()),
  });
  call.once("cancelled", close);
  call.once("close", close);

  return {
    get over() {
      return over;
    },
    fail,
    finish() {
      if (over) return;
      close();
      call.end();
    },
    onOver: (listener) => void listeners.push(listener),
    async send(message) {
      await state.answering();
      if (state.streamDelay() > 0) await delay(state.streamDelay());
      if (over) return false;
      if (left === 0) {
        fail(errors.unavailable());
        return false;
      }
      left -= 1;
      onSent();
      if (!call.write(message)) await drained(call);
      return !over;
    },
  };
}

async function drained(call: ReadCall): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      call.removeListener("drain", done);
      call.removeListener("close", done);
      call.removeListener("cancelled", done);
      resolve();
    };
    call.once("drain", done);
    call.once("close", done);
    call.once("cancelled", done);
  });
}
