import type { OptOutBy } from "../../domain/call/events.ts";
import type { CallId, CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";

/** On this call somebody asked never to be called again. */
export type HeardOptOut = {
  readonly callId: CallId;
  readonly owner: OwnerId;
  readonly campaignId: CampaignId | null;
  readonly phoneNumber: PhoneNumber;
  readonly by: OptOutBy;
  readonly messageIndex: number | null;
  readonly saidAt: Instant;
};

/**
 * Opt-outs of calls, from the words to the do-not-call list and to the call's event. Everything is done once,
 * however often it is asked for; the log stands above it: what is lost here is made again from there.
 */
export interface OptOuts {
  /**
   * One transaction: the number is on the owner's list (source `call`; an entry that is there already becomes
   * this call's), its history and the row of its webhook are written, and the call's event is due. Of a call
   * that is known already nothing changes, also when its number was taken off the list since; one that was
   * only refused is not known.
   */
  list(heard: HeardOptOut): Promise<void>;
  /** Listed, not revoked, and the call's event is not known to be in the log; the oldest first. */
  due(limit: number): Promise<readonly HeardOptOut[]>;
  /** The event is in the log. A call that is not known (a restored database) is listed as by `list`. */
  recorded(heard: HeardOptOut): Promise<void>;
  /** CallOptOutRevoked is in the log: `listAgain` passes the call over. Unknown calls are remembered, too. */
  revoked(heard: HeardOptOut): Promise<void>;
  /** Opt-outs that put the number on the owner's list and were not revoked; the oldest first. */
  unrevoked(owner: OwnerId, phoneNumber: PhoneNumber): Promise<readonly HeardOptOut[]>;
  /**
   * Puts each number with an opt-out that was not revoked on its owner's list again (the list was restored to
   * an older state). Returns how many were missing.
   */
  listAgain(): Promise<number>;
  /**
   * What was said on this call cannot be read: until somebody takes it off, its number is not called. An
   * entry that is there stays as it is. Of a call that is known already nothing changes.
   */
  refuse(call: Pick<HeardOptOut, "callId" | "owner" | "campaignId" | "phoneNumber">): Promise<void>;
}
