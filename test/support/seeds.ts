import { execFileSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";

/** Where random runs begin without git, in a downloaded archive. */
export const WITHOUT_GIT = 20_261_123;

/**
 * Seconds that all random runs of `npm test` may take, by SIMULATION_SECONDS: half are for campaigns, half
 * for conversations. 0: one block, or one conversation.
 */
const SECONDS = Number(process.env["SIMULATION_SECONDS"] ?? 40);
export const BUDGET_MILLIS = (SECONDS * 1_000) / 2;

/**
 * The first seed of this run: SIMULATION_SEED, else the commit's. So the same commit begins at the same seed,
 * and every commit looks at other histories.
 */
export const FIRST_SEED = Number(process.env["SIMULATION_SEED"] ?? seedOf(commit()));

/** Of the hash of a commit; 31 bits, so that many thousands may follow. */
export function seedOf(hash: string | null): number {
  const bits = Number.parseInt(hash?.slice(0, 8) ?? "", 16);
  return Number.isNaN(bits) ? WITHOUT_GIT : bits % 2 ** 31;
}

function commit(): string | null {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      cwd: join(import.meta.dirname, "../.."),
      stdio: ["ignore", "pipe", "ignore"],
    }).toString();
  } catch {
    return null;
  }
}
