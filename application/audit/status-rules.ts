import type {
  CampaignSettingsChanged,
  CampaignStarted,
  CampaignStatus,
  ContactHeld,
  ContactSkipped,
} from "../../domain/campaign/events.ts";
import type { AuditedEvent, Report } from "./broken-rule.ts";
import { judgeWaited } from "./callback-rules.ts";
import type { AuditedContact, Campaign, CampaignBook } from "./campaign-book.ts";

const LEGAL: Readonly<Record<CampaignStatus, readonly (CampaignStatus | null)[]>> = {
  PENDING: [null],
  RUNNING: ["PENDING", "PAUSED"],
  PAUSED: ["RUNNING", "PAUSED"],
  CANCELLED: ["PENDING", "RUNNING", "PAUSED", "CANCELLED"],
  COMPLETED: ["RUNNING", "PAUSED"],
};

export function readStatus(
  book: CampaignBook,
  recorded: Campaign,
  status: CampaignStatus,
  report: Report,
): void {
  if (!LEGAL[status].includes(book.status))
    report(
      "status-legal",
      `${book.status ?? "Nothing"} became ${status}`,
      ...(book.since === null ? [] : [book.since]),
      recorded,
    );
  book.status = status;
  book.since = recorded;
}

/** A pause and a resume name the status they come from. */
export function readResumed(book: CampaignBook, recorded: Campaign, report: Report): void {
  if (book.status === "PENDING") report("status-legal", "A campaign that never started is resumed", recorded);
  readStatus(book, recorded, "RUNNING", report);
}

export function readStarted(
  book: CampaignBook,
  recorded: AuditedEvent<CampaignStarted>,
  report: Report,
): void {
  const { by, at } = recorded.event.data;
  const startAt = book.settings?.startAt ?? null;
  if (by === "system" && (startAt === null || at < startAt))
    report("start-in-time", `It starts by itself at ${at}, its startAt is ${startAt ?? "not set"}`, recorded);
  if (book.status === "PAUSED") report("status-legal", "A campaign starts twice", recorded);
  readStatus(book, recorded, "RUNNING", report);
}

/** Contacts never called are skipped, those waiting are failed; live ones end by themselves. */
export function readCancelled(book: CampaignBook, recorded: Campaign, report: Report): void {
  readStatus(book, recorded, "CANCELLED", report);
  for (const contact of book.contacts.values()) {
    if (contact.standing === "to_call") giveUp(contact, "skipped", recorded);
    if (contact.standing === "waiting") giveUp(contact, "failed", recorded);
  }
}

/** Only what never began is deleted, and nothing comes after it. */
export function readDeleted(book: CampaignBook, recorded: Campaign, report: Report): void {
  if (book.status !== "PENDING")
    report("status-legal", `A campaign that is ${book.status ?? "not there"} is deleted`, recorded);
  book.deleted = recorded;
}

function giveUp(contact: AuditedContact, standing: "skipped" | "failed", recorded: Campaign): void {
  contact.standing = standing;
  contact.ended = recorded;
}

export function readCompleted(book: CampaignBook, recorded: Campaign, report: Report): void {
  readStatus(book, recorded, "COMPLETED", report);
  for (const { standing, contactId, lastDial } of book.contacts.values()) {
    if (standing === "to_call" || standing === "waiting" || standing === "in_call")
      report(
        "counts-add-up",
        `${contactId} is ${standing} when the campaign completes`,
        ...(lastDial === null ? [] : [lastDial]),
        recorded,
      );
  }
}

const STANDING_OF = { pending: "to_call", waiting_retry: "waiting", dialing: "in_call" } as const;
const SKIPPED_FROM = { to_call: "skipped", waiting: "failed", in_call: "no_retry" } as const;

export function readSkip(book: CampaignBook, recorded: AuditedEvent<ContactSkipped>, report: Report): void {
  const { contactId, outcome, reason, unknownCall } = recorded.event.data;
  const contact = book.contacts.get(contactId);
  if (contact === undefined) {
    report("counts-add-up", `${contactId} is no contact`, recorded);
    return;
  }
  const { standing } = contact;
  const expected =
    standing === "to_call" || standing === "waiting" || standing === "in_call"
      ? SKIPPED_FROM[standing]
      : null;
  if ((unknownCall !== undefined) !== (reason === "outcome_unknown"))
    report("counts-add-up", `${contactId} is skipped as ${reason}`, recorded);
  if (unknownCall !== undefined && STANDING_OF[unknownCall.contactWas] !== standing)
    report(
      "counts-add-up",
      `${contactId} is ${standing}, and was told as ${unknownCall.contactWas}`,
      recorded,
    );
  const called = unknownCall !== undefined && standing === "to_call";
  if (outcome !== (called ? "failed" : expected))
    report("counts-add-up", `${contactId} is ${standing}, and the skip makes it ${outcome}`, recorded);
  judgeWaited(contact, recorded, report);
  contact.skip ??= recorded;
  if (outcome !== "no_retry") giveUp(contact, outcome, recorded);
}

/** A hold changes no standing: why it is justified is a matter of the owner's policy. */
export function readHeld(book: CampaignBook, recorded: AuditedEvent<ContactHeld>, report: Report): void {
  const { contactId } = recorded.event.data;
  const standing = book.contacts.get(contactId)?.standing ?? "no contact";
  if (standing !== "to_call" && standing !== "waiting")
    report("policy-hold-legal", `${contactId} is ${standing} and held`, recorded);
  if (book.status !== "RUNNING")
    report("policy-hold-legal", `${contactId} is held while ${book.status}`, recorded);
}

/** Calls that were dialled before keep what they were dialled with. */
export function readSettings(
  book: CampaignBook,
  recorded: AuditedEvent<CampaignSettingsChanged>,
  report: Report,
): void {
  const { changes, pins } = recorded.event.data;
  if (book.status !== "PENDING" && book.status !== "PAUSED")
    report("status-legal", `Settings are changed while ${book.status ?? "there is no campaign"}`, recorded);
  if (changes.startAt !== undefined && book.status !== "PENDING")
    report("status-legal", "Its startAt is changed after its start", recorded);
  if (book.settings !== null) book.settings = { ...book.settings, ...changes };
  if (book.line !== null) book.line = { ...book.line, ...pins };
}
