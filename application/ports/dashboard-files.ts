export type DashboardFile = {
  readonly identity: Uint8Array;
  /** null: there is none. */
  readonly brotli: Uint8Array | null;
  readonly contentType: string;
  readonly etag: string;
};

/** The built pages. */
export interface DashboardFiles {
  /** null: it is not built (yet). */
  page(): DashboardFile | null;
  asset(name: string): DashboardFile | null;
  /** Why it could not be built; null: no problem is known. */
  problem(): string | null;
}
