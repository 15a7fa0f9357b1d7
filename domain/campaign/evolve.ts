import { END_REASONS } from "../call/end-reason.ts";
import { type Folds, foldedBy } from "../shared/decider.ts";
import type { CallId, ImportId } from "../shared/ids.ts";
import { millisOf, notBefore } from "../shared/instant.ts";
import { consentMillis } from "./contacts/consents.ts";
import {
  addAssistantFailure,
  addAttempt,
  addFailure,
  addNotPlaced,
  changeStatus,
  hold,
  numberOf,
  skip,
  statusOf,
  waitForCallback,
  waitUntil,
} from "./contacts/contact-row.ts";
import { addContacts, contactCount, rowOf } from "./contacts/contact-table.ts";
import { noteHold } from "./contacts/eligibility-holds.ts";
import type {
  CampaignCancelled,
  CampaignCompleted,
  CampaignCreated,
  CampaignEvent,
  CampaignPaused,
  CampaignResumed,
  CampaignSettingsChanged,
  CampaignStarted,
  ChangedPins,
  ContactAttemptFailed,
  ContactCallbackScheduled,
  ContactDialed,
  ContactHeld,
  ContactSkipped,
  ContactStatus,
  ContactSucceeded,
  ContactsImported,
} from "./events.ts";
import { isFree, isOnce } from "./retry-policy.ts";
import { type CampaignState, initialCampaignState } from "./state.ts";

/** Each in O(log n) of its contacts (a seal, a cancel and the first hold of a number touch each one). */
export const campaignFolds: Folds<CampaignState, CampaignEvent> = {
  ContactsImported: imported,
  CampaignCreated: created,
  ContactsAdded: (state, { importId }) => sealed(state, importId),
  ImportAbandoned: (state, { importId }) => closed(state, importId),
  CampaignStarted: started,
  CampaignPaused: paused,
  CampaignResumed: resumed,
  CampaignSettingsChanged: settingsChanged,
  ContactDialed: dialed,
  ContactSucceeded: succeeded,
  ContactCallbackScheduled: callbackScheduled,
  ContactAttemptFailed: attemptFailed,
  ContactSkipped: skipped,
  ContactHeld: held,
  CampaignCancelled: cancelled,
  CampaignCompleted: completed,
  CampaignDeleted: deleted,
};

/** Accepts every event in every state. Mutates and returns the given state. */
export function evolveCampaign(state: CampaignState, event: CampaignEvent): CampaignState {
  state.events += 1;
  state.lastAt = notBefore(state.lastAt, event.data.at);
  return foldedBy(campaignFolds, state, event);
}

function started(state: CampaignState, { at }: CampaignStarted["data"]): CampaignState {
  state.startedAt = at;
  return running(state);
}

function running(state: CampaignState): CampaignState {
  state.status = "RUNNING";
  return state;
}

function paused(
  state: CampaignState,
  { reason, nextWindowOpensAt, policyVersion }: CampaignPaused["data"],
): CampaignState {
  state.status = "PAUSED";
  state.pauseReason = reason;
  state.nextWindowOpensAt = nextWindowOpensAt;
  state.policyRefusing = policyVersion ?? state.policyRefusing;
  return state;
}

function resumed(state: CampaignState, { policyVersion }: CampaignResumed["data"]): CampaignState {
  state.policyAccepted = policyVersion ?? state.policyAccepted;
  return running(unpaused(state));
}

function unpaused(state: CampaignState): CampaignState {
  state.pauseReason = null;
  state.nextWindowOpensAt = null;
  return state;
}

function imported(
  state: CampaignState,
  { campaignId, importId, contacts }: ContactsImported["data"],
): CampaignState {
  const chunkRevision = state.events - 1;
  state.importingCampaignId = campaignId;
  const open = state.openImports.get(importId) ?? { contacts: [] };
  state.openImports.set(importId, open);
  contacts.forEach(({ contactId, phoneNumber, timezone, consent: given }) => {
    const consent = given === undefined ? null : consentMillis(given);
    open.contacts.push({ contactId, phoneNumber, timezone, consent, chunkRevision });
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

function settingsChanged(
  state: CampaignState,
  { changes, pins }: CampaignSettingsChanged["data"],
): CampaignState {
  if (state.settings !== null) state.settings = { ...state.settings, ...changes };
  state.defaulted = state.defaulted.filter((setting) => changes[setting] === undefined);
  return pins === undefined ? state : pinsChanged(state, pins);
}

/** In O(live calls): they keep what they were dialled with. */
function pinsChanged(state: CampaignState, changed: ChangedPins): CampaignState {
  const before = state.pins;
  if (before === null) return state;
  for (const callId of state.live.keys())
    if (!state.earlierPins.has(callId)) state.earlierPins.set(callId, before);
  state.pins = { ...before, ...changed };
  return state;
}

function sealed(state: CampaignState, importId: ImportId): CampaignState {
  const contacts = state.openImports.get(importId)?.contacts ?? [];
  addContacts(state.contacts, contacts);
  state.counts.pending += contacts.length;
  return closed(state, importId);
}

function closed(state: CampaignState, importId: ImportId): CampaignState {
  state.openImports.delete(importId);
  state.closedImports.add(importId);
  return state;
}

function dialed(
  state: CampaignState,
  { contactId, callId, phoneNumber, evidence }: ContactDialed["data"],
): CampaignState {
  policyJudged(state, evidence.policyVersion);
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
  return answered(move(state, row, "succeeded"), durationSeconds);
}

function answered(state: CampaignState, durationSeconds: number | null): CampaignState {
  state.completedCalls += 1;
  state.completedSeconds += durationSeconds ?? 0;
  return state;
}

function callbackScheduled(
  state: CampaignState,
  { callId, callbackAt, endReason, durationSeconds }: ContactCallbackScheduled["data"],
): CampaignState {
  const row = released(state, callId);
  if (row === undefined) return state;
  waitForCallback(state.contacts, row, callId, millisOf(callbackAt));
  move(state, row, "waiting_retry");
  return END_REASONS[endReason].status === "completed" ? answered(state, durationSeconds) : state;
}

function attemptFailed(
  state: CampaignState,
  { callId, retryAt, endReason }: ContactAttemptFailed["data"],
): CampaignState {
  const row = released(state, callId);
  if (row === undefined) return state;
  if (isFree(endReason)) addNotPlaced(state.contacts, row);
  if (isOnce(endReason)) addAssistantFailure(state.contacts, row);
  addFailure(state.contacts, row, endReason);
  if (retryAt === null) return move(state, row, "failed");
  waitUntil(state.contacts, row, millisOf(retryAt));
  return move(state, row, "waiting_retry");
}

function released(state: CampaignState, callId: CallId): number | undefined {
  const row = state.live.get(callId);
  if (row === undefined) return undefined;
  state.live.delete(callId);
  state.earlierPins.delete(callId);
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

function held(state: CampaignState, { contactId, at, ...terms }: ContactHeld["data"]): CampaignState {
  policyJudged(state, terms.policyVersion);
  const row = rowOf(state.contacts, contactId);
  const status = row === undefined ? undefined : statusOf(state.contacts, row);
  if (row === undefined || (status !== "pending" && status !== "waiting_retry")) return state;
  hold(state.contacts, row, terms);
  noteHold(state.contacts, row, terms, at);
  return state;
}

function policyJudged(state: CampaignState, version = 0): void {
  state.policyJudged = Math.max(state.policyJudged, version);
}

function cancelled(state: CampaignState, { hangUpActiveCalls }: CampaignCancelled["data"]): CampaignState {
  state.hangUpActiveCalls ||= hangUpActiveCalls;
  state.status = "CANCELLED";
  for (let row = 0; row < contactCount(state.contacts); row += 1) {
    const status = statusOf(state.contacts, row);
    if (status === "pending") move(state, row, "skipped");
    if (status === "waiting_retry") move(state, row, "failed");
  }
  return unpaused(state);
}

function completed(state: CampaignState, { at }: CampaignCompleted["data"]): CampaignState {
  state.status = "COMPLETED";
  state.completedAt = at;
  return unpaused(state);
}

/** As if it had never been; an import under way ends with it. */
function deleted({ lastAt, events }: CampaignState): CampaignState {
  return { ...initialCampaignState(), lastAt, events, isDeleted: true };
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
