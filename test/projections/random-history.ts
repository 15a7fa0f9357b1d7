import type { CampaignEvent, ContactStatus, ImportedContact } from "../../domain/campaign/events.ts";
import type { DomainEvent } from "../../domain/events.ts";
import type { CallId, ContactId, ImportId, OwnerId } from "../../domain/shared/ids.ts";
import { type Instant, instantFromMillis, plusMillis } from "../../domain/shared/instant.ts";
import { creation, OTHER_ASSISTANT } from "../domain/campaign/example-campaign.ts";
import { costOf } from "./example-events.ts";
import {
  agreesCallback,
  CALLED_BACK_AT,
  type Campaign,
  type Contact,
  type Dialled,
  type RandomEnd,
  randomCalls,
} from "./random-calls.ts";
import { squadEvents } from "./random-squad.ts";
import { seededRandom } from "./seeded-random.ts";

export type HistoryEvent = { readonly stream: string; readonly owner: OwnerId; readonly event: DomainEvent };

/**
 * What could have happened: campaigns with imports (sealed, open, abandoned), dials, retries, callbacks,
 * skips, holds, cancels and ends, calls of every outcome, squads, versions of policies. Streams are
 * interleaved; times mostly rise, sometimes they step back a little, as clocks do (`steady`: each event has
 * its own millisecond).
 */
export function randomHistory(
  seed: number,
  steps: number,
  clock: "steady" | "stepping" = "stepping",
): readonly HistoryEvent[] {
  const random = seededRandom(seed);
  const history: HistoryEvent[] = [];
  const campaigns: Campaign[] = [];
  const calls = randomCalls({ random, now, tell, onEnd: recordOutcome });
  let millis = Date.parse("2026-09-01T10:00:00.000Z");
  let made = 0;
  const versions = new Map<OwnerId, number>();

  for (let step = 0; step < steps; step += 1) {
    if (clock === "stepping") millis += random(5) === 0 ? -random(400) : random(2_000);
    const roll = random(20);
    if (roll === 0 || campaigns.length === 0) createCampaign();
    else if (roll === 1) calls.request(ownerOf(random(2)), null, `call_${id()}`);
    else if (roll === 2)
      for (const event of squadEvents(random, id(), now())) tell(event.stream, "usr_1", event.event);
    else if (roll < 10) moveCampaign(pick(campaigns));
    else calls.moveOne();
  }
  return history;

  function id(): string {
    made += 1;
    return String(made).padStart(6, "0");
  }
  function now(): Instant {
    if (clock === "steady") millis += 1;
    return instantFromMillis(millis);
  }
  function ownerOf(n: number): OwnerId {
    return n === 0 ? "usr_1" : "usr_2";
  }
  function pick<Item>(items: readonly Item[]): Item | undefined {
    return items.length === 0 ? undefined : items[random(items.length)];
  }
  function tell(stream: string, owner: OwnerId, event: DomainEvent): void {
    history.push({ stream, owner, event });
  }
  function tellCampaign(
    { id: campaignId, owner }: Pick<Campaign, "id" | "owner">,
    event: CampaignEvent,
  ): void {
    tell(`campaign-${campaignId}`, owner, event);
  }

  function importChunks(campaign: Pick<Campaign, "id" | "owner">, importId: ImportId): ContactId[] {
    const ids: ContactId[] = [];
    for (let chunk = random(2); chunk >= 0; chunk -= 1) {
      const contacts = Array.from({ length: 1 + random(4) }, () => importedContact());
      const firstIndex = ids.length;
      const data = { campaignId: campaign.id, importId, firstIndex, contacts, at: now() };
      tellCampaign(campaign, { type: "ContactsImported", data });
      ids.push(...contacts.map(({ contactId }) => contactId));
    }
    return ids;
  }
  function importedContact(): ImportedContact {
    const n = id();
    return {
      contactId: `ctc_${n}`,
      phoneNumber: `+1500555${String(random(10_000)).padStart(4, "0")}`,
      name: random(2) === 0 ? null : `Zoë ${n} 東京`,
      customData: random(2) === 0 ? {} : { b: n, a: { "10": 1, "9": [null, 1e21] } },
      timezone: random(3) === 0 ? "America/New_York" : null,
      externalId: random(3) === 0 ? n : null,
    };
  }
  function newContacts(ids: readonly ContactId[]): Contact[] {
    return ids.map((contactId) => ({
      id: contactId,
      status: "pending",
      attempts: 0,
      noRetry: false,
      hasAgreed: false,
    }));
  }

  function createCampaign(): void {
    const campaign: Campaign = {
      id: `cmp_${id()}`,
      owner: ownerOf(random(2)),
      status: "PENDING",
      contacts: [],
    };
    const importId: ImportId = `imp_${id()}`;
    const ids = importChunks(campaign, importId);
    if (random(6) === 0) return;
    campaign.contacts.push(...newContacts(ids));
    const { id: campaignId, owner } = campaign;
    const data = { ...creation(ids.length), campaignId, owner, importId, at: now() };
    tellCampaign(campaign, { type: "CampaignCreated", data: { ...data, specialInstructions: "Say {{b}}" } });
    campaigns.push(campaign);
    changePolicy(owner);
  }

  /** With each campaign; holds of the version before end. */
  function changePolicy(owner: OwnerId): void {
    const version = (versions.get(owner) ?? 0) + 1;
    versions.set(owner, version);
    const policy = {
      callableHours: null,
      attemptsPerNumber: { day: version },
      oneCallAtATime: true,
      exceptSingleCalls: false,
    };
    tell(`policy-${owner}`, owner, { type: "PolicyChanged", data: { owner, version, policy, at: now() } });
  }

  /** Some of those who wait, by their number, so that nothing else of a seed's history changes. */
  function hold(campaign: Campaign, callId: CallId): void {
    const contact = campaign.contacts.find(
      ({ id: each, status }) => Number(each.slice(-1)) % 3 === 0 && isWaiting(status),
    );
    if (contact === undefined) return;
    const isInCall = Number(callId.slice(-1)) % 2 === 0;
    const at = now();
    const rule = isInCall
      ? ({ rule: "oneCallAtATime", until: null, heldBy: callId, value: null, limit: null } as const)
      : ({
          rule: "attemptsPerNumber",
          until: plusMillis(at, 20_000),
          heldBy: null,
          value: 1,
          limit: 1,
        } as const);
    const policyVersion = versions.get(campaign.owner) ?? 0;
    const data = { campaignId: campaign.id, at, contactId: contact.id, ...rule, policyVersion };
    tellCampaign(campaign, { type: "ContactHeld", data });
  }

  function moveCampaign(campaign: Campaign | undefined): void {
    if (campaign === undefined) return;
    const moment = { campaignId: campaign.id, at: now() };
    const open = campaign.status !== "CANCELLED" && campaign.status !== "COMPLETED";
    const roll = random(16);
    if (campaign.status === "PENDING" && roll === 2) {
      campaigns.splice(campaigns.indexOf(campaign), 1);
      tellCampaign(campaign, { type: "CampaignDeleted", data: moment });
    } else if (campaign.status === "PENDING" && roll > 3) {
      campaign.status = "RUNNING";
      tellCampaign(campaign, { type: "CampaignStarted", data: moment });
    } else if (campaign.status === "RUNNING" && roll > 6) dial(campaign);
    else if (campaign.status === "PAUSED" && roll > 4) {
      campaign.status = "RUNNING";
      tellCampaign(campaign, { type: "CampaignResumed", data: { ...moment, by: "api" } });
    } else if (campaign.status === "RUNNING" && roll === 6) {
      campaign.status = "PAUSED";
      const data = { ...moment, reason: "outside_call_window", nextWindowOpensAt: now() } as const;
      tellCampaign(campaign, { type: "CampaignPaused", data });
    } else if (open && roll === 0) {
      campaign.status = "CANCELLED";
      for (const contact of campaign.contacts) {
        if (contact.status === "pending") contact.status = "skipped";
        if (contact.status === "waiting_retry") contact.status = "failed";
      }
      tellCampaign(campaign, { type: "CampaignCancelled", data: { ...moment, hangUpActiveCalls: false } });
    } else if (open && roll === 1) addContacts(campaign);
    else if (open && roll < 4) skip(campaign);
    else if (open && roll === 5) {
      const pins = {
        assistant: OTHER_ASSISTANT,
        greetingMessage: "Good day",
        specialInstructions: null,
        squad: null,
      };
      const data = { ...moment, changes: { name: `Renamed ${roll}`, maxRetries: 4 }, pins };
      tellCampaign(campaign, { type: "CampaignSettingsChanged", data });
    } else if (
      open &&
      campaign.contacts.every(({ status }) => ["succeeded", "failed", "skipped"].includes(status))
    ) {
      campaign.status = "COMPLETED";
      tellCampaign(campaign, { type: "CampaignCompleted", data: moment });
    }
  }

  function addContacts(campaign: Campaign): void {
    const importId: ImportId = `imp_${id()}`;
    const ids = importChunks(campaign, importId);
    const moment = { campaignId: campaign.id, importId, at: now() };
    const fate = random(3);
    if (fate === 0) tellCampaign(campaign, { type: "ImportAbandoned", data: moment });
    if (fate !== 1) return;
    campaign.contacts.push(...newContacts(ids));
    const rejected = { count: 0, items: [] };
    tellCampaign(campaign, { type: "ContactsAdded", data: { ...moment, added: ids.length, rejected } });
  }

  function skip(campaign: Campaign): void {
    const contact = pick(campaign.contacts);
    if (contact === undefined) return;
    const outcome = skipOutcome(contact.status);
    if (outcome === null) return;
    if (outcome === "no_retry" && contact.noRetry) return;
    if (outcome === "no_retry") contact.noRetry = true;
    else contact.status = outcome;
    const waited = outcome !== "no_retry" && waitsNoMore(contact);
    const data = {
      campaignId: campaign.id,
      at: now(),
      contactId: contact.id,
      reason: Number(contact.id.slice(-1)) % 2 === 0 ? "zone_unknown" : "by_request",
      outcome,
      ...(waited ? { waitedForCallback: true as const } : {}),
    } as const;
    tellCampaign(campaign, { type: "ContactSkipped", data });
  }

  function dial(campaign: Campaign): void {
    const contact = campaign.contacts.find(({ status }) => isWaiting(status));
    if (contact === undefined) return;
    contact.status = "dialing";
    const waited = waitsNoMore(contact);
    contact.attempts += 1;
    const callId: CallId = `call_${id()}`;
    const evidence = {
      localTime: now(),
      utcOffsetMinutes: 180,
      timezone: "Europe/Istanbul",
      window: null,
      activeCalls: 1,
      effectiveMaxConcurrentCalls: 10,
      availableCredits: 10_000,
      attempt: contact.attempts,
    };
    const moment = { campaignId: campaign.id, at: now(), contactId: contact.id, callId };
    const dialed = {
      phoneNumber: "+15005550006",
      attempt: contact.attempts,
      dialAt: now(),
      dialBy: now(),
      evidence,
      ...(waited ? { waitedForCallback: true as const } : {}),
    } as const;
    tellCampaign(campaign, { type: "ContactDialed", data: { ...moment, ...dialed } });
    hold(campaign, callId);
    calls.request(campaign.owner, { campaign, contact }, callId);
  }

  function recordOutcome(
    callId: CallId,
    { campaign, contact }: Dialled,
    endReason: RandomEnd,
    durationSeconds: number | null,
  ): void {
    const { attempts: attempt, id: contactId } = contact;
    const ended = {
      campaignId: campaign.id,
      at: now(),
      contactId,
      callId,
      attempt,
      endReason,
      durationSeconds,
      maxAttempts: 3,
      ...(isOlder(campaign) ? {} : { cost: costOf(durationSeconds) }),
      ...(asksNeverAgain(callId, durationSeconds) ? { optedOut: true as const } : {}),
    };
    const isOver = campaign.status === "CANCELLED" || contact.noRetry || ended.optedOut === true;
    if (durationSeconds !== null && agreesCallback(callId) && !isOver && !isOlder(campaign)) {
      contact.status = "waiting_retry";
      contact.hasAgreed = true;
      const cost = costOf(durationSeconds);
      const agreed = { cost, agreedAt: now(), callbackAt: CALLED_BACK_AT, zone: "Europe/Istanbul" };
      tellCampaign(campaign, { type: "ContactCallbackScheduled", data: { ...ended, ...agreed } });
      return;
    }
    if (endReason === "assistant_ended") {
      contact.status = "succeeded";
      tellCampaign(campaign, { type: "ContactSucceeded", data: ended });
      return;
    }
    const final = isOver || attempt === 3;
    contact.status = final ? "failed" : "waiting_retry";
    tellCampaign(campaign, {
      type: "ContactAttemptFailed",
      data: { ...ended, retryAt: final ? null : now() },
    });
  }
}

function isWaiting(status: ContactStatus): boolean {
  return status === "pending" || status === "waiting_retry";
}

/** Whether it waited for a callback until now. */
function waitsNoMore(contact: Contact): boolean {
  const waited = contact.hasAgreed;
  contact.hasAgreed = false;
  return waited;
}

function skipOutcome(status: ContactStatus): "skipped" | "failed" | "no_retry" | null {
  if (status === "pending") return "skipped";
  if (status === "waiting_retry") return "failed";
  return status === "dialing" ? "no_retry" : null;
}

/** Some of the answered calls, by their number, so that nothing else of a seed's history changes. */
function asksNeverAgain(callId: CallId, durationSeconds: number | null): boolean {
  return durationSeconds !== null && Number(callId.slice(-1)) % 3 === 0;
}

/** Some campaigns are from before the outcomes of attempts told their cost. */
export function isOlder({ id }: Pick<Campaign, "id">): boolean {
  return Number(id.slice("cmp_".length)) % 3 === 0;
}
