import { Pool } from "undici";
import { percentile } from "./load.ts";

export type HttpRequest = { readonly method: "GET" | "POST"; readonly path: string; readonly body?: string };

/** Clients that send one request after another for so long; throws at the first answer that is not 200. */
export async function httpLoad(
  { url, apiKey }: { readonly url: string; readonly apiKey: string },
  clients: number,
  milliseconds: number,
  next: (index: number) => HttpRequest,
): Promise<{ readonly rate: number; readonly done: number; readonly p99: number }> {
  const pool = new Pool(url, { connections: clients });
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const taken: number[] = [];
  const began = performance.now();
  const client = async (): Promise<void> => {
    while (performance.now() - began < milliseconds) {
      const { method, path, body = null } = next(taken.length);
      const asked = performance.now();
      const answer = await pool.request({ method, path, headers, body });
      const text = await answer.body.text();
      if (answer.statusCode !== 200)
        throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
      taken.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const rate = (taken.length / (performance.now() - began)) * 1_000;
  await pool.close();
  return { rate, done: taken.length, p99: percentile(taken, 0.99) };
}
