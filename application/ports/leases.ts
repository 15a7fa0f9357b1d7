/** Exclusive, expiring ownership between processes (architecture.md §8), judged by the database's clock. A lease lost is harmless: the expected revision refuses the loser. */
export interface Leases {
  /** True when `holder` has it now (taken, or renewed). */
  acquire(name: string, holder: string, ttlMillis: number): Promise<boolean>;
  /** All of these names held by `holder` renewed at once; answers those that it still holds. */
  renew(names: readonly string[], holder: string, ttlMillis: number): Promise<ReadonlySet<string>>;
  release(name: string, holder: string): Promise<void>;
  /** null: nobody holds it now. */
  holder(name: string): Promise<string | null>;
}
