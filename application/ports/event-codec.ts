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
  /** Does not match its schema, or cannot be opened: named by position and type, parked, never a crash loop. */
  | { readonly kind: "damaged"; readonly stored: StoredEvent; readonly problem: string };

export type Encoded = {
  readonly type: string;
  readonly data: JsonObject;
  readonly schemaVersion: number;
};

/**
 * Stored form apart from domain form: a schema for each stored type and version, upcasters from the older ones, and personal words sealed with the key
 * of their subject. By pages: what a page needs of keys is asked once. Rejects when the keys cannot be had; a page without sealed words asks nobody.
 */
export interface EventCodec {
  /** The stored forms, in order. `id` is the id that the event is appended with. Rejects `SubjectKeyError` where a subject has no key, `EventStoreError` invalid_event for words that no log takes. */
  encode(
    events: readonly { readonly id: string; readonly event: DomainEvent }[],
  ): Promise<readonly Encoded[]>;
  /** One answer an event, in order. */
  decode(page: readonly StoredEvent[]): Promise<readonly Decoded[]>;
  /** The same events with their words in place of the ciphertext; what cannot be opened stays without its words. */
  withWords(page: readonly StoredEvent[]): Promise<readonly StoredEvent[]>;
  /** As JSON, words and all: for answers, never for a store. */
  asJson(event: DomainEvent): Pick<Encoded, "type" | "data">;
  /** As JSON, without the personal words. */
  withoutWords(event: DomainEvent): Pick<Encoded, "type" | "data">;
}
