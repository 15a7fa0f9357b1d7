import type { RecordedEvent } from "../../../application/ports/event-codec.ts";
import type {
  CampaignCancelled,
  CampaignCreated,
  CampaignEvent,
  CampaignPaused,
  CampaignStatus,
  ContactAttemptFailed,
  ContactCallbackScheduled,
  ContactDialed,
  ContactHeld,
  ContactSkipped,
  ContactStatus,
  ContactSucceeded,
  ImportedContact,
} from "../../../domain/campaign/events.ts";
import type { CampaignSettings } from "../../../domain/campaign/settings.ts";
import { isCampaignEvent } from "../../../domain/event-kinds.ts";
import type { ContactId, ImportId, OwnerId } from "../../../domain/shared/ids.ts";

export type Fact<Event extends CampaignEvent = CampaignEvent> = RecordedEvent<Event>;

/** Facts about one contact from the campaign's events so far. The fold owns and changes it. */
export type ContactFacts = {
  readonly contactId: ContactId;
  owner: OwnerId | null;
  contact: ImportedContact | null;
  importId: ImportId | null;
  /** From here on its import counts; null: it does not. */
  sealed: Fact | null;
  settings: CampaignSettings | null;
  /** Of the current settings: their last change, else the creation. */
  settled: Fact | null;
  status: CampaignStatus | null;
  paused: Fact<CampaignPaused> | null;
  cancelled: Fact<CampaignCancelled> | null;
  /** The last start or resume. */
  running: Fact | null;
  contactStatus: ContactStatus;
  dialed: Fact<ContactDialed> | null;
  succeeded: Fact<ContactSucceeded> | null;
  failed: Fact<ContactAttemptFailed> | null;
  /** Of its last attempt; null: that agreed no callback. */
  callback: Fact<ContactCallbackScheduled> | null;
  /** The settings that were valid for the failed attempt. */
  failedBy: CampaignSettings | null;
  skipped: Fact<ContactSkipped> | null;
  /** The last one since its last attempt; whether it went on depends on the policy and on calls. */
  held: Fact<ContactHeld> | null;
};

export function noFacts(contactId: ContactId): ContactFacts {
  return {
    contactId,
    owner: null,
    contact: null,
    importId: null,
    sealed: null,
    settings: null,
    settled: null,
    status: null,
    paused: null,
    cancelled: null,
    running: null,
    contactStatus: "pending",
    dialed: null,
    succeeded: null,
    failed: null,
    callback: null,
    failedBy: null,
    skipped: null,
    held: null,
  };
}

/** Applies the next event of the campaign's stream that had happened. */
export function hear(facts: ContactFacts, recorded: RecordedEvent): void {
  const { event } = recorded;
  if (!isCampaignEvent(event)) return;
  if ("contactId" in event.data) {
    if (event.data.contactId === facts.contactId) hearOfContact(facts, recorded, event);
  } else hearOfCampaign(facts, { ...recorded, event }, event);
}

function hearOfCampaign(facts: ContactFacts, fact: Fact, event: CampaignEvent): void {
  switch (event.type) {
    case "ContactsImported": {
      const contact = event.data.contacts.find(({ contactId }) => contactId === facts.contactId);
      if (contact === undefined) return;
      facts.contact = contact;
      facts.importId = event.data.importId;
      return;
    }
    case "CampaignCreated":
      created(facts, fact, event.data);
      return;
    case "ContactsAdded":
      if (event.data.importId === facts.importId) facts.sealed = fact;
      return;
    case "CampaignSettingsChanged":
      if (facts.settings !== null) facts.settings = { ...facts.settings, ...event.data.changes };
      facts.settled = fact;
      return;
    case "CampaignStarted":
    case "CampaignResumed":
      facts.status = "RUNNING";
      facts.running = fact;
      facts.paused = null;
      return;
    case "CampaignPaused":
      facts.status = "PAUSED";
      facts.paused = { ...fact, event };
      return;
    case "CampaignCancelled":
      facts.status = "CANCELLED";
      facts.cancelled = { ...fact, event };
      if (facts.contactStatus === "pending") facts.contactStatus = "skipped";
      if (facts.contactStatus === "waiting_retry") facts.contactStatus = "failed";
      return;
    case "CampaignCompleted":
      facts.status = "COMPLETED";
      return;
    case "CampaignDeleted":
      facts.owner = null;
      return;
    default:
      return;
  }
}

function created(facts: ContactFacts, fact: Fact, data: CampaignCreated["data"]): void {
  facts.owner = data.owner;
  facts.settings = data.settings;
  facts.settled = fact;
  facts.status = "PENDING";
  if (data.importId === facts.importId) facts.sealed = fact;
}

function hearOfContact(facts: ContactFacts, recorded: RecordedEvent, event: CampaignEvent): void {
  switch (event.type) {
    case "ContactDialed":
      facts.dialed = { ...recorded, event };
      facts.held = null;
      facts.contactStatus = "dialing";
      return;
    case "ContactSucceeded":
      facts.succeeded = { ...recorded, event };
      facts.contactStatus = "succeeded";
      return;
    case "ContactCallbackScheduled":
      facts.callback = { ...recorded, event };
      facts.contactStatus = "waiting_retry";
      return;
    case "ContactAttemptFailed":
      facts.failed = { ...recorded, event };
      facts.callback = null;
      facts.failedBy = facts.settings;
      facts.contactStatus = event.data.retryAt === null ? "failed" : "waiting_retry";
      return;
    case "ContactSkipped":
      facts.skipped = { ...recorded, event };
      if (event.data.outcome !== "no_retry") facts.contactStatus = event.data.outcome;
      return;
    case "ContactHeld":
      facts.held = { ...recorded, event };
      return;
    default:
      return;
  }
}
