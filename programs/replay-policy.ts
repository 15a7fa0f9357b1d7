import { readFile } from "node:fs/promises";
import process from "node:process";
import { policyOf } from "../api/policy/routes.ts";
import type { Violation } from "../application/ports/verifications.ts";
import { verifyLog } from "../application/verification/read-log.ts";
import type { Verdict } from "../application/verification/verify-policy.ts";
import type { OpenLog } from "../composition/open-for-reading.ts";
import { policyBody } from "../contract/policy.ts";
import type { Policy } from "../domain/policy/policy.ts";
import type { OwnerId } from "../domain/shared/ids.ts";
import { type Instant, parseInstant } from "../domain/shared/instant.ts";
import { systemClock } from "../infrastructure/clock.ts";

type Asked = {
  readonly values: {
    readonly policy?: string | undefined;
    readonly owner?: string | undefined;
    readonly from?: string | undefined;
    readonly until?: string | undefined;
    readonly json: boolean;
  };
};

/** No policy needs more. */
const MOST_POLICY_BYTES = 256 * 1024;

/**
 * `npm run replay -- --policy FILE`: what in the log breaks that policy. Returns 0 when nothing does,
 * 1 when something does, 2 when the file or the log cannot be read, which standard error says. Nothing sealed
 * is opened.
 */
export async function replayPolicy(
  { values }: Asked,
  open: () => Promise<OpenLog>,
  print: (line: string) => void,
): Promise<number> {
  try {
    const policy = await policyIn(values.policy ?? "");
    const options = {
      policy,
      owner: ownerOf(values.owner),
      from: timeOf("--from", values.from),
      until: timeOf("--until", values.until) ?? systemClock.now(),
      tzdata: process.versions["tz"] ?? "unknown",
    };
    const { eventStore, close } = await open();
    const verdict = await verifyLog(eventStore, options).finally(close);
    return told(verdict, values.json, print);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

/** Throws what is wrong with the file. */
async function policyIn(path: string): Promise<Policy> {
  const text = await readFile(path, "utf8");
  if (text.length > MOST_POLICY_BYTES) throw new Error(`${path} is too long for a policy`);
  const parsed = policyBody.safeParse(jsonOf(path, text));
  if (parsed.success) return policyOf(parsed.data);
  const [issue] = parsed.error.issues;
  throw new Error(`${path} is no policy: ${issue?.path.join(".") || "the whole"}: ${issue?.message ?? ""}`);
}

function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${path} is no JSON`);
  }
}

function ownerOf(text: string | undefined): OwnerId | null {
  if (text === undefined) return null;
  if (!text.startsWith("usr_")) throw new Error("--owner takes the id of an owner (usr_…)");
  return text as OwnerId;
}

function timeOf(option: string, text: string | undefined): Instant | null {
  if (text === undefined) return null;
  const time = parseInstant(text);
  if (time === null) throw new Error(`${option} takes a time such as 2026-09-01T10:00:00Z, with its offset`);
  return time;
}

function told(verdict: Verdict, isJson: boolean, print: (line: string) => void): number {
  const { violations, ...counts } = verdict;
  for (const violation of violations) print(isJson ? JSON.stringify(violation) : lineOf(violation));
  if (isJson) print(JSON.stringify(counts));
  else {
    print(`${counts.dials} dials, ${counts.count} violations`);
    for (const { rule, why, count } of counts.unverifiable)
      print(`not to be judged: ${count} by ${rule} (${why})`);
  }
  return counts.count === 0 ? 0 : 1;
}

function lineOf({ at, rule, phoneNumber, callId, contactId, campaignId, value, limit }: Violation): string {
  const whose = campaignId === null ? "single call" : `${contactId} of ${campaignId}`;
  return `${at} ${rule} ${phoneNumber} ${callId} (${whose}): ${value ?? "none"}, limit ${limit ?? "none"}`;
}
