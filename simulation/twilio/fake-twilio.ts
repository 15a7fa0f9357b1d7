import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import fastify from "fastify";
import type { Clock } from "../../application/ports/clock.ts";
import { seededRandom } from "../callee/seeded-random.ts";
import { type FakeAccountOptions, openFakeAccount } from "./fake-account.ts";
import { addFakeRoutes } from "./fake-routes.ts";
import { createFaults, type FaultShares, type Faults } from "./faults.ts";

export type FakeTwilio = {
  readonly url: string;
  readonly faults: Faults;
  readonly stop: () => Promise<void>;
};

export type FakeTwilioOptions = Pick<
  FakeAccountOptions,
  "account" | "seed" | "speed" | "callsPerSecond" | "ownedNumbers" | "outcome"
> & {
  readonly clock: Clock;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly faults: Partial<FaultShares>;
};

/** A Twilio that dials nobody, and fails as Twilio does. Its journal survives a restart; its calls do not. */
export async function startFakeTwilio(options: FakeTwilioOptions): Promise<FakeTwilio> {
  await mkdir(options.dataDir, { recursive: true });
  const journalPath = join(options.dataDir, "journal.jsonl");
  const random = seededRandom(`twilio:${options.seed}`);
  const faults = createFaults(options.faults, random);
  const calls = await openFakeAccount({ ...options, journalPath, faults, random });
  const server = fastify({ bodyLimit: 1_048_576, forceCloseConnections: true });
  addFakeRoutes(server, { ...options, journalPath, faults, random, calls });
  const url = await server.listen({ host: options.host, port: options.port });
  return {
    url,
    faults,
    stop: async () => {
      await server.close();
      await calls.stop();
    },
  };
}
