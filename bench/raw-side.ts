import { fork } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import type { BenchService } from "./bench-service.ts";

/**
 * The program of raw-server.ts over the database of the running service. `select`: the
 * answer of GET /raw/<name>.
 */
export async function startRawServer(
  { connection }: Pick<BenchService, "connection">,
  select: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const child = fork(new URL("raw-server.ts", import.meta.url), { execPath: process.execPath });
  child.send({ connection, select });
  const [hello]: { url: string }[] = await once(child, "message");
  if (hello === undefined) throw new Error("the raw server did not start");
  return {
    url: hello.url,
    async stop() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}
