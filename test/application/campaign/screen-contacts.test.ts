import { describe, expect, it } from "vitest";
import {
  acceptedContacts,
  type ContactInput,
  type ScreeningRequest,
  screenContacts,
  type TextCheck,
} from "../../../application/campaign/screen-contacts.ts";
import { parsePhoneNumber } from "../../../domain/shared/phone-number.ts";
import { createSimulatedIds } from "../../../simulation/campaigns/simulated-ids.ts";
import { movingClock } from "../../support/moving-clock.ts";
import { exampleContacts } from "../example-request.ts";

const ids = createSimulatedIds();
const FITS: TextCheck = () => true;

async function screen(
  contacts: readonly ContactInput[],
  changes: Partial<ScreeningRequest> = {},
  fits = FITS,
) {
  const request = { contacts, refusedRows: [], skipDuplicates: false, ...changes };
  const slept: number[] = [];
  const sleep = async (millis: number) => void slept.push(millis);
  const accepted: number[] = [];
  const screened = await screenContacts({ clock: { ...movingClock(), sleep } }, request, fits, ({ index }) =>
    accepted.push(index),
  );
  return { screened, accepted, slept, called: [...acceptedContacts({ ids }, request, screened)] };
}

const numbered = (count: number, number: string) =>
  exampleContacts(Array.from({ length: count }, () => number));

describe("screening", () => {
  it("takes repeated numbers and tells of them, each after the first", async () => {
    const { screened, called } = await screen(numbered(3, "+12025550100"));
    expect(screened).toMatchObject({
      accepted: 3,
      rejected: { count: 0, items: [] },
      duplicates: { count: 2, items: [{ index: 1, phoneNumber: "+12025550100" }, { index: 2 }] },
    });
    expect(called).toHaveLength(3);
  });

  it("keeps the first of each number alone where repeats are skipped", async () => {
    const { screened, accepted, called } = await screen(numbered(3, "+12025550100"), {
      skipDuplicates: true,
    });
    expect(screened.rejected.items.map(({ index, reason }) => [index, reason])).toEqual([
      [1, "duplicate"],
      [2, "duplicate"],
    ]);
    expect([screened.accepted, accepted, screened.duplicates.count, called.length]).toEqual([1, [0], 2, 1]);
  });

  it("leaves out whose consent is of the future, judged when the request came first", async () => {
    const consent = { source: "Web form", at: "2026-09-01T10:02:00.000Z" } as const;
    const contacts = numbered(2, "+12025550100").map((contact, n) =>
      n === 0 ? { ...contact, consent } : contact,
    );
    const first = await screen(contacts, { givenAt: "2026-09-01T10:00:59.999Z" });
    expect(first.screened.rejected.items).toEqual([
      { index: 0, phoneNumber: "+12025550100", reason: "consent_in_future" },
    ]);
    expect([first.accepted, first.called.map((each) => each.consent)]).toEqual([[1], [undefined]]);
    const later = await screen(contacts, { givenAt: "2026-09-01T10:01:00.000Z" });
    expect(later.called.map((each) => each.consent)).toEqual([consent, undefined]);
  });

  it("leaves out whose texts are too long; such a one is no first of its number", async () => {
    const contacts = numbered(2, "+12025550100");
    const { screened, accepted, called } = await screen(contacts, {}, ({ index }) => index > 0);
    expect(screened.rejected.items).toEqual([
      { index: 0, phoneNumber: "+12025550100", reason: "text_too_long" },
    ]);
    expect([accepted, screened.duplicates.count, called.length]).toEqual([[1], 0, 1]);
  });

  it("names 100 of each kind and counts all; every rejected one where that is asked for", async () => {
    const wrong = numbered(101, "0532");
    const twice = numbered(102, "+12025550100").map((contact) => ({
      ...contact,
      index: contact.index + 101,
    }));
    const spelled = exampleContacts(101).map((contact) => ({ ...contact, phoneNumber: " 1" }));
    const of = async (reportsAll?: boolean) =>
      (await screen([...wrong, ...twice, ...spelled], reportsAll === undefined ? {} : { reportsAll }))
        .screened;
    const counted = ({ rejected, duplicates, normalized }: Awaited<ReturnType<typeof of>>) =>
      [rejected, duplicates, normalized].map(({ count, items }) => [count, items.length]);
    expect(counted(await of())).toEqual([
      [101, 100],
      [102, 100],
      [101, 100],
    ]);
    expect(counted(await of(true))[0]).toEqual([101, 101]);
    expect(counted(await of(false))[0]).toEqual([101, 100]);
  });

  it("tells what a number was spelled as, and on which line", async () => {
    const [contact] = exampleContacts(1);
    if (contact === undefined) throw new Error("no contact");
    const { screened } = await screen([{ ...contact, line: 7, phoneNumber: "+1 202 555 0000" }, contact]);
    const items = [{ line: 7, from: "+1 202 555 0000", to: "+12025550000" }];
    expect(screened.normalized).toEqual({ count: 1, items });
  });

  it("tells rows that the reader of a file refused among its own, in their order", async () => {
    const [contact] = exampleContacts(1);
    if (contact === undefined) throw new Error("no contact");
    const wrong = { ...contact, index: 2, line: 4, phoneNumber: "0532", number: parsePhoneNumber("0532") };
    const refusedRows = [
      { index: 1, phoneNumber: "", reason: "missing" },
      { index: 3, phoneNumber: "", reason: "missing" },
    ];
    const { screened } = await screen([contact, wrong], { refusedRows });
    expect(screened.rejected.items.map(({ index }) => index)).toEqual([1, 2, 3]);
    expect(screened.rejected).toMatchObject({ count: 3, items: [{}, { line: 4, reason: "not_e164" }, {}] });
  });

  it("counts all that the reader refused, though it named only the first of them, and its repeats", async () => {
    const refusedRows = [{ index: 9, phoneNumber: "", reason: "missing" }];
    const repeats = { count: 40, items: [{ index: 5, phoneNumber: "+1" }] };
    const [one, two] = numbered(2, "+12025550100");
    if (one === undefined || two === undefined) throw new Error("no contacts");
    const { screened } = await screen([one, { ...two, index: 3 }, { ...two, index: 8 }], {
      refusedRows,
      refusedInAll: { count: 250, duplicates: repeats },
    });
    expect(screened.rejected.count).toBe(250);
    expect(screened.duplicates).toMatchObject({
      count: 42,
      items: [{ index: 3 }, { index: 5 }, { index: 8 }],
    });
  });

  it("lets others work after each thousand contacts and refused rows", async () => {
    expect((await screen(exampleContacts(999))).slept).toEqual([]);
    expect((await screen(exampleContacts(2_000))).slept).toEqual([0, 0]);
    const row = { index: 0, phoneNumber: "", reason: "missing" };
    const refusedRows = Array.from({ length: 1_500 }, () => row);
    expect((await screen(exampleContacts(1_500), { refusedRows })).slept).toEqual([0, 0, 0]);
  });
});
