import type { Position } from "../application/ports/event-store.ts";
import type { CallMessagesTable, CallsTable } from "./calls.ts";
import type { CampaignsTable } from "./campaigns.ts";
import type { ContactGroupsTable } from "./contact-groups.ts";
import type { ContactImportsTable, ContactsTable } from "./contacts.ts";
import type { OwnerEventsTable } from "./owner-events.ts";
import type { SquadsTable } from "./squads.ts";

type CheckpointsTable = {
  readonly model: string;
  readonly position: Position;
  readonly generation: number;
  readonly event_id: string | null;
  readonly event_stream: string | null;
  readonly event_revision: number | null;
  readonly moved_at: Date;
};

type ParkedEventsTable = {
  readonly model: string;
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly problem: string;
};

/** The tables that serve, by the version that this release reads. */
export type ReadSchema = {
  readonly "read.checkpoints": CheckpointsTable;
  readonly "read.parked_events": ParkedEventsTable;
  readonly "read.calls_v1": CallsTable;
  readonly "read.call_messages_v1": CallMessagesTable;
  readonly "read.campaigns_v1": CampaignsTable;
  readonly "read.contacts_v2": ContactsTable;
  readonly "read.contact_imports_v2": ContactImportsTable;
  readonly "read.contact_groups_v2": ContactGroupsTable;
  readonly "read.squads_v1": SquadsTable;
  readonly "read.owner_events_v1": OwnerEventsTable;
};
