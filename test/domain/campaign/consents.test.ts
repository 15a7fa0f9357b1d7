import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { consentMillis } from "../../../domain/campaign/contacts/consents.ts";
import { consentOf, hasConsent } from "../../../domain/campaign/contacts/contact-row.ts";
import { addContacts, createContactTable } from "../../../domain/campaign/contacts/contact-table.ts";
import { campaignDecider } from "../../../domain/campaign/decider.ts";
import { dueContacts } from "../../../domain/campaign/due-contacts.ts";
import { isInForce, isOfTheFuture, neverCounts } from "../../../domain/policy/consent.ts";
import type { ConsentTimes } from "../../../domain/policy/policy.ts";
import { fold } from "../../../domain/shared/decider.ts";
import { type Instant, instantFromMillis, millisOf, plusMillis } from "../../../domain/shared/instant.ts";
import { contact, running } from "./example-campaign.ts";

const AT = "2026-08-20T09:15:00.000Z";
const instants = fc.integer({ min: 0, max: 4_000_000_000_000 }).map(instantFromMillis);
const consents: fc.Arbitrary<ConsentTimes | null> = fc.oneof(
  fc.constant(null),
  fc.record({ at: instants }),
  fc.record({ at: instants, expiresAt: instants }),
);

describe("consents of a campaign's contacts", () => {
  it("are those that were given, whatever was imported before and after, and count until they end", () => {
    const property = fc.property(fc.array(fc.array(consents, { maxLength: 5 })), instants, (imports, now) => {
      const table = createContactTable();
      let row = 0;
      for (const given of imports)
        addContacts(
          table,
          given.map((consent) => ({
            contactId: `ctc_${row++}`,
            ...{ phoneNumber: "+905321234500", timezone: null, chunkRevision: 0 },
            consent: consent === null ? null : consentMillis(consent),
          })),
        );
      const all = imports.flat();
      expect(all.map((_, index) => consentOf(table, index))).toEqual(all);
      const millis = millisOf(now);
      const counting = all.map((consent) => isInForce(consent, millis));
      expect(all.map((_, index) => hasConsent(table, index, millis))).toEqual(counting);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it("take no room where nobody gave one, and none for those who come before the first", () => {
    const silent = (contactId: `ctc_${string}`, consent: ConsentTimes | null = null) => ({
      ...({ contactId, phoneNumber: "+905321234500", timezone: null, chunkRevision: 0 } as const),
      consent: consent === null ? null : consentMillis(consent),
    });
    const table = createContactTable();
    addContacts(table, [silent("ctc_1"), silent("ctc_2")]);
    expect(table.consents).toBeNull();
    addContacts(table, [silent("ctc_3", { at: AT })]);
    expect(table.consents?.at).toHaveLength(3);
    addContacts(table, [silent("ctc_4")]);
    expect(table.consents?.at).toHaveLength(3);
    expect(consentOf(table, 3)).toBeNull();
  });

  it("stand beside who is due, without the words that only the log has", () => {
    const consent = { source: "Web form", at: AT, reference: "crm/4711" } as const;
    const people = running([contact(1, { consent }), contact(2)]);
    const state = fold(campaignDecider, campaignDecider.initialState(), people);
    const due = dueContacts(state, state.lastAt ?? AT, 9, null);
    expect(due.map((each) => each.consent)).toEqual([{ at: AT }, null]);
  });
});

describe("a consent", () => {
  it("may be a minute ahead of the clock that judges it, and no more", () => {
    const ahead = (millis: number) => isOfTheFuture({ at: plusMillis(AT, millis) }, AT);
    expect([ahead(-1), ahead(60_000), ahead(60_001)]).toEqual([false, false, true]);
  });

  it("never counts that ends when it begins, or before", () => {
    const ending = (expiresAt: Instant) => neverCounts({ at: AT, expiresAt });
    expect([ending(AT), ending(plusMillis(AT, -1)), ending(plusMillis(AT, 1))]).toEqual([true, true, false]);
    expect(neverCounts({ at: AT })).toBe(false);
  });

  it("has ended at the very moment that it names", () => {
    const until = plusMillis(AT, 1_000);
    const counts = (at: Instant) => isInForce({ at: AT, expiresAt: until }, millisOf(at));
    expect([counts(plusMillis(until, -1)), counts(until)]).toEqual([true, false]);
    expect([isInForce(undefined, 0), isInForce({ at: AT }, Number.MAX_SAFE_INTEGER)]).toEqual([false, true]);
  });
});
