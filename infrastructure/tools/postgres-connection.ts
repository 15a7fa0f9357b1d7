/** Where a query runs; made by its owner. */
export type PostgresConnection = {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly tls: boolean;
};
