import type { PhoneNumber } from "../../domain/shared/phone-number.ts";

/** A number that the user put on the do-not-call list; times since the beginning. */
export type HandListing = {
  readonly phoneNumber: PhoneNumber;
  readonly from: number;
  /** When the user asked to take it off: from then on it may be rung again. null: never. */
  askedOff: number | null;
};

/** What the user did with the do-not-call list, and was told of it. */
export type HandBook = {
  readonly listings: readonly HandListing[];
  /** Whether a request to take it off is not answered yet. */
  readonly isTakingOff: (phoneNumber: PhoneNumber) => boolean;
  readonly listed: (phoneNumber: PhoneNumber, at: number) => void;
  readonly asksOff: (phoneNumber: PhoneNumber, at: number) => void;
  readonly isOff: (phoneNumber: PhoneNumber, at: number) => void;
  /** When it was first known at or after `since` that the number is off the list. */
  readonly offSince: (phoneNumber: PhoneNumber, since: number) => number;
};

export function createHandBook(): HandBook {
  const listings: HandListing[] = [];
  const asked = new Set<PhoneNumber>();
  const offs: { readonly phoneNumber: PhoneNumber; readonly at: number }[] = [];
  return {
    listings,
    isTakingOff: (phoneNumber) => asked.has(phoneNumber),
    listed: (phoneNumber, from) => void listings.push({ phoneNumber, from, askedOff: null }),
    asksOff: (phoneNumber, at) => {
      asked.add(phoneNumber);
      for (const listing of listings)
        if (listing.phoneNumber === phoneNumber) listing.askedOff = listing.askedOff ?? at;
    },
    isOff: (phoneNumber, at) => {
      asked.delete(phoneNumber);
      offs.push({ phoneNumber, at });
    },
    offSince: (phoneNumber, since) =>
      offs.find((off) => off.phoneNumber === phoneNumber && off.at >= since)?.at ?? Number.POSITIVE_INFINITY,
  };
}
