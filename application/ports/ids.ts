import type { IdOf } from "../../domain/shared/ids.ts";

/** The only source of new ids. */
export interface Ids {
  /** A fresh TypeID: prefix and UUIDv7 in lower-case base32. */
  next<Prefix extends keyof IdOf>(prefix: Prefix): IdOf[Prefix];
  /** A fresh UUID (event ids, correlation ids). */
  uuid(): string;
  /** UUIDv5 of the text in this installation's namespace: the same text always gives the same UUID. */
  derivedUuid(text: string): string;
}
