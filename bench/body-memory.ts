import { writeFileSync } from "node:fs";
import { type BenchService, startBenchService } from "./bench-service.ts";
import type { Row } from "./benchmark.ts";
import { createCampaign, type References, references } from "./campaign-set-up.ts";
import { row } from "./rows.ts";

const CONTACTS = 10_000;
const KEYS = 100;

/**
 * How much 10,000 contacts of 100 keys each add to the service's peak memory: right after its start, and
 * after earlier such bodies.
 */
export async function bodyMemory(): Promise<readonly Row[]> {
  const service = await startBenchService();
  const given = await references(service);
  const first = await growth(service, given);
  const second = await growth(service, given);
  await service.remove();
  const megabytes = Math.round(bytesOf(given) / 2 ** 20);
  const what = `memory that a body of ${megabytes} MiB adds`;
  return [
    row(`${what}, the first after a start`, "bodies", { ringfold: first }, { atMost: 10 }),
    row(`${what}, the second`, "bodies", { ringfold: second }, { atMost: 10 }),
  ];
}

/** Over so many bodies. The peak is reset before (Linux: clear_refs). */
async function growth(service: BenchService, given: References): Promise<number> {
  writeFileSync(`/proc/${service.pid}/clear_refs`, "5");
  const before = service.memory().now;
  await createCampaign(service, given, CONTACTS, withManyKeys);
  return ((service.memory().highest - before) * 2 ** 20) / bytesOf(given);
}

function bytesOf(given: References): number {
  return JSON.stringify(withManyKeys(given, CONTACTS)).length;
}

function withManyKeys(given: References, count: number): object {
  const contacts = Array.from({ length: count }, (_, index) => ({
    phoneNumber: `+1202${String(5_000_000 + index)}`,
    name: `Contact ${index}`,
    customData: Object.fromEntries(
      Array.from({ length: KEYS }, (_each, key) => [`k${key}`, String((index * KEYS + key) % 100)]),
    ),
  }));
  return { name: `Bench of ${count} with ${KEYS} keys each`, ...given, contacts };
}
