export type DashboardFile = {
  readonly identity: Uint8Array;
  /** null: it has none. */
  readonly brotli: Uint8Array | null;
  readonly contentType: string;
  readonly etag: string;
};

/** The built pages. */
export interface DashboardFiles {
  /** null: it is not built (yet). */
  page(): DashboardFile | null;
  asset(name: string): DashboardFile | null;
  /** Why it could not be built; null: nobody knows of anything. */
  problem(): string | null;
}
