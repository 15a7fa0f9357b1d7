import { fork } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { anything, secret } from "./bench-api.ts";
import type { BenchService } from "./bench-service.ts";

export type ReceivedCount = {
  readonly verified: number;
  readonly refused: number;
  readonly different: number;
};

/** A webhook receiver in its own process, which verifies every signature. */
export type BenchReceiver = {
  received(): Promise<ReceivedCount>;
  reset(): Promise<void>;
  stop(): void;
};

export async function startBenchReceiver({ api }: Pick<BenchService, "api">): Promise<BenchReceiver> {
  const child = fork(new URL("webhook-receiver.ts", import.meta.url), { execPath: process.execPath });
  const [hello]: { port: number }[] = await once(child, "message");
  if (hello === undefined) throw new Error("the receiver did not start");
  const ask = async (order: object): Promise<ReceivedCount> => {
    child.send(order);
    const [answer]: ReceivedCount[] = await once(child, "message");
    if (answer === undefined) throw new Error("the receiver did not answer");
    return answer;
  };
  await api.put(anything, "/api/v1/webhook", { url: `http://127.0.0.1:${hello.port}/bench`, enabled: true });
  await ask({ secrets: { "/bench": (await api.post(secret, "/api/v1/webhook/secret")).secret } });
  return {
    received: () => ask({ report: true }),
    reset: async () => void (await ask({ reset: true })),
    stop: () => child.disconnect(),
  };
}
