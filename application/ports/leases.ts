/**
 * Exclusive, expiring ownership between processes (docs/architecture.md §8), by the database's clock. A lost
 * lease is harmless: the expected revision refuses the former holder.
 */
export interface Leases {
  /** True when `holder` has it now (taken or renewed). */
  acquire(name: string, holder: string, ttlMillis: number): Promise<boolean>;
  /** Renews all of these leases that `holder` has; returns those that it still has. */
  renew(names: readonly string[], holder: string, ttlMillis: number): Promise<ReadonlySet<string>>;
  /** The name is forgotten: `abandoned` does not find it. */
  release(name: string, holder: string): Promise<void>;
  /**
   * Names with this prefix that were acquired, and neither released nor renewed in time: a process has to
   * take them over. Kept until acquired or released. Those of `formerHolder` are included: its process is
   * dead, and the caller has its name now.
   */
  abandoned(prefix: string, limit: number, formerHolder?: string): Promise<readonly string[]>;
}
