import type { DomainEvent } from "../../domain/events.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import type { StoredEvent } from "./event-store.ts";

/** A stored event in domain form. `event` is never changed by readers. */
export type RecordedEvent<E extends DomainEvent = DomainEvent> = Omit<StoredEvent, "data" | "type"> & {
  readonly event: E;
};

export type Decoded =
  | { readonly kind: "event"; readonly recorded: RecordedEvent }
  /** This release does not know the type: skipped, counted. */
  | { readonly kind: "unknown_type"; readonly stored: StoredEvent }
  /**
   * Does not match its schema, or cannot be decrypted: reported by position and type and parked, so that it
   * causes no crash loop.
   */
  | { readonly kind: "damaged"; readonly stored: StoredEvent; readonly problem: string };

export type Encoded = {
  readonly type: string;
  readonly data: JsonObject;
  readonly schemaVersion: number;
};

/**
 * Keeps the stored form apart from the domain form: a schema for each stored type and version, upcasters from
 * older ones, and personal texts encrypted with the key of their subject. Works on pages, so that the keys of
 * a page need one query. Rejects when the keys cannot be read; a page without encrypted texts needs none.
 */
export interface EventCodec {
  /**
   * The stored forms, in order. `id` is that of the appended event. Rejects `SubjectKeyError` when a subject
   * has no key, `EventStoreError` invalid_event for texts that no log accepts.
   */
  encode(
    events: readonly { readonly id: string; readonly event: DomainEvent }[],
  ): Promise<readonly Encoded[]>;
  /** One result for each event, in order. */
  decode(page: readonly StoredEvent[]): Promise<readonly Decoded[]>;
  /** The same events, decrypted; an event that cannot be decrypted stays without its texts. */
  withWords(page: readonly StoredEvent[]): Promise<readonly StoredEvent[]>;
  /** As JSON with texts: for answers, never for a store. */
  asJson(event: DomainEvent): Pick<Encoded, "type" | "data">;
  /** As JSON without the personal texts. */
  withoutWords(event: DomainEvent): Pick<Encoded, "type" | "data">;
}
