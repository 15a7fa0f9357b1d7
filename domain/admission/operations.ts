import type { CarrierKind } from "../call/carrier-identity.ts";
import type { CreditUnits } from "../shared/credits.ts";
import type { CallId, CampaignId, OwnerId } from "../shared/ids.ts";
import { type Instant, instantFromMillis } from "../shared/instant.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import { admit } from "./admit.ts";
import { endSlowing, slow } from "./connection-pace.ts";
import type { Account, Admitted } from "./grants.ts";
import type { Books } from "./owner-book.ts";
import { takeConnectionTurn } from "./pace.ts";
import type { AdmissionRequest, ConnectionTurn, LostSlot, Settlement, Wake } from "./requests.ts";
import { close, ensure, topUp } from "./settle.ts";
import { type ConnectionBook, connectionOf } from "./shared-book.ts";
import type { Millis } from "./slots.ts";
import { withdraw } from "./withdraw.ts";

/** A change to the books; its answer is valid only after the commit. */
export type Operation<Answer> = {
  readonly touches: Partial<Touched>;
  readonly apply: (books: Books) => Answer;
};

/** `takesShared`: whether a resource that all owners share limits it. */
export function admitting(request: AdmissionRequest, takesShared: boolean): Operation<Admitted> {
  return {
    touches: {
      owners: [request.owner],
      callIds: request.candidates.map(({ callId }) => callId),
      campaignIds: namedCampaign(request.campaignId),
      ...connectionTouched(request.connection),
      takesShared,
      numbers: request.candidates.map(({ phoneNumber }) => ({ owner: request.owner, phoneNumber })),
    },
    apply: (books) => admit(books, request),
  };
}

export function closing(settlements: readonly Settlement[]): Operation<void> {
  return {
    touches: {
      callIds: settlements.map(({ callId }) => callId),
      unused: settlements.filter(({ unused }) => unused === true).length,
    },
    apply: (books) => {
      for (const settlement of settlements) close(books, settlement);
    },
  };
}

export function ensuring(slot: LostSlot, price: CreditUnits): Operation<void> {
  return {
    touches: {
      owners: [slot.owner],
      callIds: [slot.callId],
      campaignIds: namedCampaign(slot.campaignId),
      ensured: [slot.callId],
    },
    apply: (books) => ensure(books, slot, price),
  };
}

/**
 * Credits wake every campaign of the owner that ever asked: the runners know which of them wait for credits.
 */
export function toppingUp(
  owner: OwnerId,
  amount: CreditUnits,
  reference: string,
): Operation<{ readonly account: Account; readonly wakes: readonly Wake[] }> {
  return {
    touches: { owners: [owner], references: [{ owner, reference }], allCampaignsOf: [owner] },
    apply: (books) => {
      const account = topUp(books, owner, amount, reference);
      const campaigns = [...(books.owners.get(owner)?.demands.keys() ?? [])];
      return { account, wakes: campaigns.map((campaignId) => ({ owner, campaignId })) };
    },
  };
}

export function withdrawing(campaignId: CampaignId): Operation<void> {
  return {
    touches: { campaignIds: [campaignId] },
    apply: ({ owners }) => {
      for (const book of owners.values()) withdraw(book, campaignId);
    },
  };
}

/** Changes nothing, but wakes campaigns that could go on by now, as every transaction does. */
export function lookingRound(owner: OwnerId): Operation<void> {
  return { touches: { owners: [owner] }, apply: () => undefined };
}

/** null: no call has used the connection yet, so there is nothing to slow down. */
export function slowing(key: string, retryAfterMillis: number): Operation<CarrierKind | null> {
  return onConnection(key, ({ now }, connection) => slow(connection, retryAfterMillis, now));
}

export function endingSlowing(key: string, begunMillisAgo: number): Operation<CarrierKind | null> {
  return onConnection(key, ({ now }, connection) => endSlowing(connection, now - begunMillisAgo));
}

export function takingTurn(turn: ConnectionTurn, before: Millis): Operation<Instant | null> {
  return {
    touches: { connections: [turn.key], takesShared: true },
    apply: ({ now, shared }) => turnBefore(connectionOf(shared, turn), now, before),
  };
}

/** `Admission.takeTurn` on the connection's book. */
export function turnBefore(connection: ConnectionBook, now: Millis, before: Millis): Instant | null {
  const at = takeConnectionTurn(connection, now, before);
  return at === null ? null : instantFromMillis(Math.ceil(at));
}

/** The same for campaigns that wait for shared resources. */
export function lookingAtShared(): Operation<void> {
  return { touches: {}, apply: () => undefined };
}

function onConnection(
  key: string,
  change: (books: Books, connection: ConnectionBook) => void,
): Operation<CarrierKind | null> {
  return {
    touches: { connections: [key], takesShared: true },
    apply: (books) => {
      const connection = books.shared.connections.get(key);
      if (connection === undefined) return null;
      change(books, connection);
      return connection.kind;
    },
  };
}

function connectionTouched(connection: ConnectionTurn | null): Partial<Touched> {
  if (connection === null) return {};
  const connections = [connection.key];
  return { connections, countedConnections: connection.maxConcurrentCalls === null ? [] : connections };
}

function namedCampaign(campaignId: CampaignId | null): readonly CampaignId[] {
  return campaignId === null ? [] : [campaignId];
}

export function touchedBy(operations: readonly Operation<unknown>[]): Touched {
  const all = operations.map(({ touches }) => touches);
  return {
    owners: [...new Set(all.flatMap(({ owners }) => owners ?? []))],
    callIds: all.flatMap(({ callIds }) => callIds ?? []),
    campaignIds: all.flatMap(({ campaignIds }) => campaignIds ?? []),
    allCampaignsOf: all.flatMap(({ allCampaignsOf }) => allCampaignsOf ?? []),
    ensured: all.flatMap(({ ensured }) => ensured ?? []),
    references: all.flatMap(({ references }) => references ?? []),
    connections: [...new Set(all.flatMap(({ connections }) => connections ?? []))],
    countedConnections: [...new Set(all.flatMap(({ countedConnections }) => countedConnections ?? []))],
    takesShared: all.some(({ takesShared }) => takesShared === true),
    numbers: all.flatMap(({ numbers }) => numbers ?? []),
    unused: all.reduce((sum, { unused = 0 }) => sum + unused, 0),
  };
}

/** The rows that a group of operations needs. */
export type Touched = {
  readonly owners: readonly OwnerId[];
  readonly callIds: readonly CallId[];
  /** Campaigns that the operations name; campaigns of slots to be closed need not be named. */
  readonly campaignIds: readonly CampaignId[];
  /** Owners whose campaigns are all needed, also those that neither hold nor want anything. */
  readonly allCampaignsOf: readonly OwnerId[];
  /** Calls that must have a slot: for these the ledger is read as well. */
  readonly ensured: readonly CallId[];
  readonly references: readonly { readonly owner: OwnerId; readonly reference: string }[];
  /** Connections that the operations name; those of slots and demands need not be named. */
  readonly connections: readonly string[];
  /** Those of them whose calls are counted. */
  readonly countedConnections: readonly string[];
  /** Something that all owners share is taken or changed: one such transaction at a time. */
  readonly takesShared: boolean;
  /** Numbers to be dialled: what policies ask of them is read where their owner has one. */
  readonly numbers: readonly { readonly owner: OwnerId; readonly phoneNumber: PhoneNumber }[];
  /** How many dials may be taken back: so many more of each number are read. */
  readonly unused: number;
};
