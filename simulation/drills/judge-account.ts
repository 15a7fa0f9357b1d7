import type { DrillEvidence } from "./drill-evidence.ts";
import type { LedgerEntry } from "./shapes.ts";

/** Credits are conserved, and every slot is free. */
export function judgeAccount({
  start,
  balance,
  reserved,
  activeCalls,
  calls,
  ledger,
}: DrillEvidence): string[] {
  const spent = sum(calls.map(({ cost }) => cost ?? 0));
  const total = (cause: LedgerEntry["cause"]) =>
    sum(ledger.filter((entry) => entry.cause === cause).map(({ amount }) => amount));
  const problems: string[] = [];
  const expect = (what: string, actual: number, expected: number) => {
    if (Math.abs(actual - expected) > 0.000_05) problems.push(`${what}: ${actual} instead of ${expected}`);
  };
  expect("balance", balance, start.balance - spent);
  expect("reserved", reserved, 0);
  expect("active calls", activeCalls, 0);
  expect("charged in the ledger", total("charge"), spent);
  expect("released in the ledger", total("release"), total("reserve"));
  return [...problems, ...repeated(ledger)];
}

/** Every cause moves credits once. */
function repeated(ledger: readonly LedgerEntry[]): string[] {
  const seen = new Set<string>();
  return ledger.flatMap(({ cause, callId }) => {
    const name = `${cause} for ${callId}`;
    if (callId === null || !seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [`${name} is in the ledger twice`];
  });
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
