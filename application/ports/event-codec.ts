import type { DomainEvent } from "../../domain/events.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { StoredEvent } from "./event-store.ts";

/** A stored event in the words of the domain. `event` is frozen by convention: readers never change it. */
export type RecordedEvent<E extends DomainEvent = DomainEvent> = Omit<StoredEvent, "data" | "type"> & {
  readonly event: E;
};

export type Decoded =
  | { readonly kind: "event"; readonly recorded: RecordedEvent }
  /** A type that this release does not know: skipped, counted. */
  | { readonly kind: "unknown_type"; readonly stored: StoredEvent }
  /** Does not match its schema: named by position and type, parked, never a crash loop. */
  | { readonly kind: "damaged"; readonly stored: StoredEvent; readonly problem: string };

/** Stored form apart from domain form: a schema for each stored type and version, upcasters from the older ones. */
export interface EventCodec {
  encode(event: DomainEvent): {
    readonly type: string;
    readonly data: JsonObject;
    readonly schemaVersion: number;
  };
  decode(stored: StoredEvent): Decoded;
}
