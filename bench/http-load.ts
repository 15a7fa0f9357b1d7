import { Pool } from "undici";
import { percentile } from "./load.ts";

export type HttpRequest = { readonly method: "GET" | "POST"; readonly path: string; readonly body?: string };

type Target = { readonly url: string; readonly apiKey: string };

export type HttpLoad = { readonly rate: number; readonly done: number; readonly p99: number };

/** Clients that send one request after another for so long; throws at the first answer that is not 200. */
export async function httpLoad(
  target: Target,
  clients: number,
  milliseconds: number,
  next: (index: number) => HttpRequest,
): Promise<HttpLoad> {
  const { send, close } = sender(target, clients);
  const taken: number[] = [];
  const began = performance.now();
  const client = async (): Promise<void> => {
    while (performance.now() - began < milliseconds) {
      const request = next(taken.length);
      const asked = performance.now();
      await send(request);
      taken.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const rate = (taken.length / (performance.now() - began)) * 1_000;
  await close();
  return { rate, done: taken.length, p99: percentile(taken, 0.99) };
}

/** The most requests under way at an offered rate; the others wait, and their wait counts. */
const MOST_UNDER_WAY = 400;
/** How often those are sent whose time has come. */
const TICK_MILLIS = 5;

/**
 * So many requests a second for so long, whether or not those before are answered; a request's time counts
 * from when it was due. `rate`: what was answered a second, until the last answer.
 */
export async function httpOffered(
  target: Target,
  perSecond: number,
  milliseconds: number,
  next: (index: number) => HttpRequest,
): Promise<HttpLoad> {
  const { send, close } = sender(target, MOST_UNDER_WAY);
  const taken: number[] = [];
  const underWay: Promise<void>[] = [];
  const all = Math.round((perSecond * milliseconds) / 1_000);
  const began = performance.now();
  const dueAt = (index: number) => began + (index * 1_000) / perSecond;
  const one = async (index: number): Promise<void> => {
    await send(next(index));
    taken.push(performance.now() - dueAt(index));
  };
  while (underWay.length < all) {
    while (underWay.length < all && dueAt(underWay.length) <= performance.now())
      underWay.push(one(underWay.length));
    await new Promise((resolve) => setTimeout(resolve, TICK_MILLIS));
  }
  await Promise.all(underWay);
  const rate = (taken.length / (performance.now() - began)) * 1_000;
  await close();
  return { rate, done: taken.length, p99: percentile(taken, 0.99) };
}

function sender({ url, apiKey }: Target, connections: number) {
  const pool = new Pool(url, { connections });
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const send = async ({ method, path, body = null }: HttpRequest): Promise<void> => {
    const answer = await pool.request({ method, path, headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200)
      throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
  };
  return { send, close: () => pool.close() };
}
