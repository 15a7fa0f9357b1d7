import { setTimeout as wait } from "node:timers/promises";
import { Pool } from "undici";
import type { BenchService } from "./bench-service.ts";
import { percentile } from "./load.ts";

/** One request after another, one every 5 ms, while `work` runs: the p99 and the longest, in ms. */
export async function meanwhile(
  { url, apiKey }: BenchService,
  path: string,
  work: () => Promise<unknown>,
): Promise<{ readonly requests: number; readonly p99: number; readonly longest: number }> {
  const pool = new Pool(url, { connections: 4 });
  const taken: number[] = [];
  let working = true;
  const ask = async (): Promise<void> => {
    while (working) {
      const began = performance.now();
      const answer = await pool.request({
        path,
        method: "GET",
        headers: { authorization: `Bearer ${apiKey}` },
      });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`GET ${path} answered ${answer.statusCode}`);
      taken.push(performance.now() - began);
      await wait(5);
    }
  };
  const asking = ask();
  await work().finally(() => {
    working = false;
  });
  await asking;
  await pool.close();
  return { requests: taken.length, p99: percentile(taken, 0.99), longest: Math.max(...taken) };
}
