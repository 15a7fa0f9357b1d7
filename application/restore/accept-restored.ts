import type { CallOfTheCarrier } from "../../domain/call/carrier-identity.ts";
import type { CampaignCommand } from "../../domain/campaign/decider.ts";
import { isCampaignEvent } from "../../domain/event-kinds.ts";
import type { DomainEvent } from "../../domain/events.ts";
import type { PolicyInForce } from "../../domain/policy/policy.ts";
import { DomainError } from "../../domain/shared/errors.ts";
import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Campaigns } from "../log/aggregates.ts";
import type { EventOrigin } from "../log/append-events.ts";
import { campaignStream } from "../log/stream-names.ts";
import type { Clock } from "../ports/clock.ts";
import type { EventCodec } from "../ports/event-codec.ts";
import type { EventStore } from "../ports/event-store.ts";
import type { Logger } from "../ports/logger.ts";
import type { Policies } from "../ports/policies.ts";
import { isRefusedForGood } from "../refused-for-good.ts";
import { eventsOfTypes } from "./events-of-types.ts";

export type AcceptRestoredDeps = {
  readonly eventStore: EventStore;
  readonly codec: EventCodec;
  readonly campaigns: Campaigns;
  readonly policies: Pick<Policies, "replaceAll">;
  readonly clock: Clock;
  readonly logger: Logger;
};

/** Contacts ended in one append; far below its largest size. */
const CONTACTS_AT_ONCE = 1_000;
const BEGAN: DomainEvent["type"] = "CampaignCreated";
const OVER: readonly DomainEvent["type"][] = ["CampaignCompleted", "CampaignCancelled", "CampaignDeleted"];

/**
 * Prepares a restored log before anybody may be dialled: running campaigns are paused until their
 * owner resumes them, none starts by itself before its owner sets that again, contacts whom the carrier
 * called meanwhile are not called again, and policies are those of the log. Repeated after a crash it does
 * the rest. Rejects when the log is unavailable.
 */
export async function acceptRestored(
  deps: AcceptRestoredDeps,
  calls: readonly CallOfTheCarrier[],
): Promise<void> {
  const done = { campaignsPaused: 0, contactsEnded: 0 };
  await restorePolicies(deps);
  for (const [campaignId, owner] of await openCampaigns(deps)) {
    const origin = { owner, actor: "process:restore-guard", correlationId: campaignId, causationId: null };
    try {
      if (await holdBack(deps, campaignId, origin)) done.campaignsPaused += 1;
      done.contactsEnded += await endContacts(deps, campaignId, calls, origin);
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      // A campaign that is deleted or cannot be folded is not run by anybody, so it does not stop the others.
      deps.logger.error({ campaignId, error }, "a campaign of the restored log cannot be paused");
    }
  }
  deps.logger.warn({ ...done, calls: calls.length }, "the restored state is accepted");
}

/** What the log says is in force, and nothing that only the database remembers. */
async function restorePolicies({ eventStore, codec, policies }: AcceptRestoredDeps): Promise<void> {
  const latest = new Map<OwnerId, PolicyInForce>();
  for await (const stored of eventsOfTypes(eventStore, ["PolicyChanged"])) {
    const [decoded] = await codec.decode([stored]);
    if (decoded?.kind !== "event" || decoded.recorded.event.type !== "PolicyChanged") continue;
    const { owner, version, policy } = decoded.recorded.event.data;
    latest.set(owner, { version, policy });
  }
  await policies.replaceAll(latest);
}

/** Campaigns that are not over, with their owners. */
async function openCampaigns({ eventStore, codec }: AcceptRestoredDeps): Promise<Map<CampaignId, string>> {
  const open = new Map<CampaignId, string>();
  for await (const stored of eventsOfTypes(eventStore, [BEGAN, ...OVER])) {
    const [decoded] = await codec.decode([stored]);
    if (decoded?.kind !== "event") continue;
    const { event } = decoded.recorded;
    if (event.type === "CampaignCreated") open.set(event.data.campaignId, stored.metadata.owner);
    if (isCampaignEvent(event) && OVER.includes(event.type)) open.delete(event.data.campaignId);
  }
  return open;
}

/**
 * A running campaign is paused (true); a scheduled one waits for a user to start it or to set its time again.
 */
async function holdBack(
  { campaigns, clock }: AcceptRestoredDeps,
  campaignId: CampaignId,
  origin: EventOrigin,
): Promise<boolean> {
  const stream = campaignStream(campaignId);
  const status = await campaigns.query(stream, (state) => state.status, { fresh: true });
  if (status !== "RUNNING" && status !== "PENDING") return false;
  const now = clock.now();
  const command: CampaignCommand =
    status === "RUNNING"
      ? { type: "PauseCampaign", now }
      : { type: "ChangeSettings", changes: { startAt: null }, now };
  try {
    await campaigns.handle(stream, [command], origin);
    return status === "RUNNING";
  } catch (error) {
    if (error instanceof DomainError) return false; // it has just ended (or was started) in another process
    throw error;
  }
}

/**
 * Ends after one append for each thousand contacts, because an ended contact is not found again. A
 * campaign with nobody left to call completes with the last append; paused it would stay so, as no
 * runner cares for it.
 */
async function endContacts(
  { campaigns, clock }: AcceptRestoredDeps,
  campaignId: CampaignId,
  calls: readonly CallOfTheCarrier[],
  origin: EventOrigin,
): Promise<number> {
  if (calls.length === 0) return 0;
  for (let ended = 0; ; ) {
    const now = clock.now();
    const handled = await campaigns.handle(
      campaignStream(campaignId),
      [
        { type: "EndCalledSince", calls, limit: CONTACTS_AT_ONCE, now },
        { type: "CompleteIfDone", now },
      ],
      origin,
    );
    if (handled.events.length === 0) return ended;
    ended += handled.events.filter(({ type }) => type === "ContactSkipped").length;
  }
}
