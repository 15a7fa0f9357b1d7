import { describe, expect, it } from "vitest";
import { createAsking, type Person } from "../../../application/policy/asking.ts";
import type { EligibilityAnswer } from "../../../domain/policy/eligibility-answer.ts";
import { memoryEligibility } from "../../../simulation/memory/policies.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { OWNER, pass, sharedStores } from "../engine-world.ts";

const CHECK = { url: "https://crm.example.com/may-call?token=secret", timeoutMs: 2_000 };
const PERSON: Person = {
  ...({ phoneNumber: "+12025550100", name: "Ada", customData: {}, externalId: null } as const),
  ...{ campaignId: "cmp_1", contactId: "ctc_1", attempt: 1, metadata: {} },
};
const TIMEOUT: EligibilityAnswer = { kind: "unavailable", why: "timeout" };

/** Each question is answered when the test says so. */
function open() {
  const stores = sharedStores();
  const waiting: { readonly about: string | null; readonly answer: (answer: EligibilityAnswer) => void }[] =
    [];
  const { logger, lines: said } = recordingLogger();
  const asking = createAsking({
    ...stores,
    logger,
    eligibility: memoryEligibility(
      ({ name }) =>
        new Promise((answer) => {
          waiting.push({ about: name, answer });
        }),
    ),
  });
  const changes: string[] = [];
  asking.onChange((owner) => changes.push(owner));
  const ask = (name: string, isUrgent = false) =>
    asking.ask(OWNER, { check: CHECK, person: async () => ({ ...PERSON, name }), isUrgent });
  const answered = async (answer: EligibilityAnswer, times = 1) => {
    for (let time = 0; time < times; time += 1) {
      const asked = ask("somebody");
      await pass(stores, 0);
      waiting.pop()?.answer(answer);
      await asked;
    }
  };
  return { stores, asking, ask, answered, waiting, changes, said };
}

describe("asking the address of an owner", () => {
  it("says what it answered, and when it was asked", async () => {
    const { stores, ask, waiting } = open();
    const asked = ask("Ada");
    await pass(stores, 0);
    waiting[0]?.answer({ kind: "allowed" });
    expect(await asked).toEqual({
      answer: { kind: "allowed" },
      evidence: { eventId: expect.any(String), askedAt: "2026-09-01T10:00:00.000Z", millis: 0 },
    });
  });

  it("asks 16 at once; somebody who waits for it goes before the others", async () => {
    const { stores, ask, waiting } = open();
    for (let number = 0; number < 18; number += 1) void ask(`contact ${number}`);
    void ask("single call", true);
    await pass(stores, 0);
    expect(waiting).toHaveLength(16);
    waiting[3]?.answer({ kind: "allowed" });
    await pass(stores, 0);
    waiting[4]?.answer(TIMEOUT);
    await pass(stores, 0);
    expect(waiting.slice(16).map(({ about }) => about)).toEqual(["single call", "contact 16"]);
  });

  it("asks nobody who need not be known about any more, and gives the place on also when reading fails", async () => {
    const { asking, waiting } = open();
    const gone = { check: CHECK, person: async () => null };
    expect(await asking.ask(OWNER, gone)).toBeNull();
    const unreadable = { check: CHECK, person: () => Promise.reject(new Error("log away")) };
    for (let time = 0; time < 20; time += 1)
      await expect(asking.ask(OWNER, unreadable)).rejects.toThrow("log away");
    expect([waiting.length, asking.silentUrls(OWNER)]).toEqual([0, []]);
  });
});

describe("an address that does not answer", () => {
  it("is silent after five questions in a row, until any answer counts; what it said is logged without it", async () => {
    const { asking, answered, changes, said } = open();
    await answered(TIMEOUT, 4);
    await answered({ kind: "refused", reason: null, until: null });
    await answered(TIMEOUT, 4);
    expect([asking.silentUrls(OWNER), changes]).toEqual([[], []]);
    await answered(TIMEOUT, 2);
    expect([asking.silentUrls(OWNER), asking.silentUrls("usr_2"), changes]).toEqual([
      [CHECK.url],
      [],
      [OWNER],
    ]);
    await answered({ kind: "allowed" });
    expect([asking.silentUrls(OWNER), changes]).toEqual([[], [OWNER, OWNER]]);
    const lines = JSON.stringify(said);
    expect(said).toHaveLength(2);
    expect([lines.includes("timeout"), lines.includes("secret"), lines.includes("2025550100")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("is asked again 10 s after its last question, by one", async () => {
    const { stores, asking, answered } = open();
    expect(asking.takeProbe(OWNER, CHECK.url)).toBe(false);
    await answered(TIMEOUT, 5);
    await pass(stores, 9_999);
    expect(asking.takeProbe(OWNER, CHECK.url)).toBe(false);
    await pass(stores, 1);
    expect([asking.takeProbe(OWNER, CHECK.url), asking.takeProbe(OWNER, CHECK.url)]).toEqual([true, false]);
    await pass(stores, 10_000);
    expect(asking.takeProbe(OWNER, CHECK.url)).toBe(true);
  });

  it("is taken for silent by who takes a campaign over that is paused because of it", () => {
    const { asking } = open();
    asking.assumeSilent(OWNER, CHECK.url);
    expect([asking.silentUrls(OWNER), asking.takeProbe(OWNER, CHECK.url)]).toEqual([[CHECK.url], false]);
  });
});
