/** Exclusive, expiring ownership between processes (docs/architecture.md §8), judged by the database's clock. A lease lost is harmless: the expected revision refuses the loser. */
export interface Leases {
  /** True when `holder` has it now (taken, or renewed). */
  acquire(name: string, holder: string, ttlMillis: number): Promise<boolean>;
  /** All of these names held by `holder` renewed at once; answers those that it still holds. */
  renew(names: readonly string[], holder: string, ttlMillis: number): Promise<ReadonlySet<string>>;
  /** The name is forgotten: `abandoned` does not find it. */
  release(name: string, holder: string): Promise<void>;
  /** Names with this prefix that were acquired, and neither released nor renewed in time: somebody has to take them over. Kept until acquired or released. What `formerHolder` holds is among them: its process is dead, the one that asks goes by its name now. */
  abandoned(prefix: string, limit: number, formerHolder?: string): Promise<readonly string[]>;
}
