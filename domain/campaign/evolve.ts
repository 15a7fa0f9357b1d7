import { assertNever } from "../shared/errors.ts";
import type { CallId } from "../shared/ids.ts";
import { millisOf, notBefore } from "../shared/instant.ts";
import {
  addAssistantFailure,
  addAttempt,
  addNotPlaced,
  changeStatus,
  numberOf,
  skip,
  statusOf,
  waitUntil,
} from "./contacts/contact-row.ts";
import { addContacts, contactCount, rowOf } from "./contacts/contact-table.ts";
import type {
  CampaignCreated,
  CampaignEvent,
  ContactAttemptFailed,
  ContactDialed,
  ContactSkipped,
  ContactStatus,
  ContactSucceeded,
  ContactsImported,
} from "./events.ts";
import { isFree, isOnce } from "./retry-policy.ts";
import type { CampaignSettings } from "./settings.ts";
import type { CampaignState } from "./state.ts";

/**
 * Accepts every event in every state, in O(log n) of its contacts (a seal and a cancel touch each one).
 * Mutates and returns the given state.
 */
export function evolveCampaign(state: CampaignState, event: CampaignEvent): CampaignState {
  const revision = state.events;
  state.events += 1;
  state.lastAt = notBefore(state.lastAt, event.data.at);
  switch (event.type) {
    case "ContactsImported":
      return imported(state, event.data, revision);
    case "CampaignCreated":
      return created(state, event.data);
    case "ContactsAdded":
      return sealed(state, event.data.importId);
    case "ImportAbandoned":
      state.openImports.delete(event.data.importId);
      state.closedImports.add(event.data.importId);
      return state;
    case "CampaignStarted":
      state.status = "RUNNING";
      state.startedAt = event.data.at;
      return state;
    case "CampaignPaused":
      state.status = "PAUSED";
      state.pauseReason = event.data.reason;
      state.nextWindowOpensAt = event.data.nextWindowOpensAt;
      return state;
    case "CampaignResumed":
      state.status = "RUNNING";
      return unpaused(state);
    case "CampaignSettingsChanged":
      return settingsChanged(state, event.data.changes);
    case "ContactDialed":
      return dialed(state, event.data);
    case "ContactSucceeded":
      return succeeded(state, event.data);
    case "ContactAttemptFailed":
      return attemptFailed(state, event.data);
    case "ContactSkipped":
      return skipped(state, event.data);
    case "CampaignCancelled":
      state.hangUpActiveCalls ||= event.data.hangUpActiveCalls;
      return cancelled(state);
    case "CampaignCompleted":
      state.status = "COMPLETED";
      state.completedAt = event.data.at;
      return unpaused(state);
    default:
      return assertNever(event);
  }
}

function unpaused(state: CampaignState): CampaignState {
  state.pauseReason = null;
  state.nextWindowOpensAt = null;
  return state;
}

function imported(
  state: CampaignState,
  { campaignId, importId, contacts }: ContactsImported["data"],
  revision: number,
): CampaignState {
  state.importingCampaignId = campaignId;
  const open = state.openImports.get(importId) ?? { contacts: [] };
  state.openImports.set(importId, open);
  contacts.forEach(({ contactId, phoneNumber, timezone }) => {
    open.contacts.push({ contactId, phoneNumber, timezone, chunkRevision: revision });
  });
  return state;
}

function created(state: CampaignState, data: CampaignCreated["data"]): CampaignState {
  const { importId, totalContacts: _total, rejected: _rejected, settings, defaulted, at, ...pins } = data;
  state.status = "PENDING";
  state.campaignId = data.campaignId;
  state.owner = data.owner;
  state.pins = pins;
  state.settings = settings;
  state.defaulted = defaulted ?? [];
  state.createdAt = at;
  return sealed(state, importId);
}

function settingsChanged(state: CampaignState, changes: Partial<CampaignSettings>): CampaignState {
  if (state.settings !== null) state.settings = { ...state.settings, ...changes };
  state.defaulted = state.defaulted.filter((setting) => changes[setting] === undefined);
  return state;
}

function sealed(state: CampaignState, importId: CampaignCreated["data"]["importId"]): CampaignState {
  const contacts = state.openImports.get(importId)?.contacts ?? [];
  addContacts(state.contacts, contacts);
  state.counts.pending += contacts.length;
  state.openImports.delete(importId);
  state.closedImports.add(importId);
  return state;
}

function dialed(
  state: CampaignState,
  { contactId, callId, phoneNumber }: ContactDialed["data"],
): CampaignState {
  const row = rowOf(state.contacts, contactId);
  if (row === undefined) return state;
  move(state, row, "dialing");
  addAttempt(state.contacts, row);
  state.live.set(callId, row);
  state.liveNumbers.add(phoneNumber);
  return state;
}

function succeeded(
  state: CampaignState,
  { callId, durationSeconds }: ContactSucceeded["data"],
): CampaignState {
  const row = released(state, callId);
  if (row === undefined) return state;
  move(state, row, "succeeded");
  state.completedCalls += 1;
  state.completedSeconds += durationSeconds ?? 0;
  return state;
}

function attemptFailed(
  state: CampaignState,
  { callId, retryAt, endReason }: ContactAttemptFailed["data"],
): CampaignState {
  const row = released(state, callId);
  if (row === undefined) return state;
  if (isFree(endReason)) addNotPlaced(state.contacts, row);
  if (isOnce(endReason)) addAssistantFailure(state.contacts, row);
  if (retryAt === null) return move(state, row, "failed");
  waitUntil(state.contacts, row, millisOf(retryAt));
  return move(state, row, "waiting_retry");
}

function released(state: CampaignState, callId: CallId): number | undefined {
  const row = state.live.get(callId);
  if (row === undefined) return undefined;
  state.live.delete(callId);
  const number = numberOf(state.contacts, row);
  if (number !== undefined) state.liveNumbers.delete(number);
  return row;
}

function skipped(state: CampaignState, { contactId, outcome }: ContactSkipped["data"]): CampaignState {
  const row = rowOf(state.contacts, contactId);
  if (row === undefined) return state;
  skip(state.contacts, row);
  return outcome === "no_retry" ? state : move(state, row, outcome);
}

function cancelled(state: CampaignState): CampaignState {
  state.status = "CANCELLED";
  for (let row = 0; row < contactCount(state.contacts); row += 1) {
    const status = statusOf(state.contacts, row);
    if (status === "pending") move(state, row, "skipped");
    if (status === "waiting_retry") move(state, row, "failed");
  }
  return unpaused(state);
}

/** The only place that changes the status of a contact, so the counts always add up. */
function move(state: CampaignState, row: number, status: ContactStatus): CampaignState {
  const { contacts } = state;
  const before = statusOf(contacts, row);
  if (before === undefined) return state;
  state.counts[before] -= 1;
  state.counts[status] += 1;
  changeStatus(contacts, row, status);
  return state;
}
