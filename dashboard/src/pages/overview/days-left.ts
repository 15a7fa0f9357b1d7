import type { LedgerRecord, UsageDay } from "../../../../contract/account.ts";

type Entry = Pick<LedgerRecord, "cause" | "amount">;
type Usage = { readonly days: readonly Pick<UsageDay, "calls">[] };

/** null: nothing was spent. */
export function daysOf(available: number, ledger: readonly Entry[], { days }: Usage): number | null {
  const charges = ledger.filter(({ cause }) => cause === "charge").map(({ amount }) => Math.abs(amount));
  const first = days.findIndex(({ calls }) => calls > 0);
  if (charges.length === 0 || first < 0) return null;
  const perCall = charges.reduce((sum, amount) => sum + amount, 0) / charges.length;
  const used = days.slice(first);
  const callsADay = used.reduce((sum, { calls }) => sum + calls, 0) / used.length;
  const aDay = perCall * callsADay;
  return aDay === 0 ? null : Math.max(0, available) / aDay;
}
