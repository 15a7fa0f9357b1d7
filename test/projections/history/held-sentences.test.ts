import { describe, expect, it } from "vitest";
import type { RecordedEvent } from "../../../application/ports/event-codec.ts";
import type { Language } from "../../../contract/campaign-story.ts";
import type { CampaignEvent, ContactHeld, SuppressionEntry } from "../../../domain/campaign/events.ts";
import type { Policy } from "../../../domain/policy/policy.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { campaignStoryteller } from "../../../projections/history/campaign-story.ts";
import { explain } from "../../../projections/history/explain/explain-contact.ts";
import { at, campaignId, contact, creation, imported } from "../../domain/campaign/example-campaign.ts";

const ada = contact(1, { name: "Ada", timezone: "Europe/Istanbul" });
const { contactId } = ada;
const metadata = {
  ...{ owner: "usr_1", actor: "key_1", correlationId: "c", causationId: null, schemaVersion: 1 },
} as const;
const place = (revision: number) => ({
  ...{ id: String(revision), position: String(revision + 1), revision, stream: `campaign-${campaignId}` },
  ...{ created: at(0), metadata },
});
const BEGUN: readonly CampaignEvent[] = [
  imported([ada]),
  { type: "CampaignCreated", data: creation(1) },
  { type: "CampaignStarted", data: { campaignId, at: at(0) } },
];
const cap = { rule: "attemptsPerNumber", until: at(60), heldBy: null, value: 1, limit: "1/day" } as const;
const call = { rule: "oneCallAtATime", until: null, heldBy: "call_9", value: 1, limit: 1 } as const;

const ON_A_LIST: SuppressionEntry = {
  reason: null,
  createdAt: "2026-08-30T21:00:00.000Z",
  by: null,
  list: { id: "spl_1", name: "National registry", kind: "registry" },
};

function held(
  terms: Pick<ContactHeld["data"], "rule" | "until" | "heldBy" | "value" | "limit" | "refusal">,
): CampaignEvent {
  return { type: "ContactHeld", data: { campaignId, contactId, at: at(4), policyVersion: 3, ...terms } };
}

type Asked = {
  readonly language?: Language;
  /** null: the owner has no policy. */
  readonly version?: number | null;
  readonly hours?: Policy["callableHours"];
  readonly ended?: readonly CallId[];
  readonly seconds?: number;
};

/** Ten seconds after the start, by version 3 of the policy, unless it is said otherwise. */
function told(events: readonly CampaignEvent[], asked: Asked = {}) {
  const { language = "en", version = 3, hours = null, ended = [], seconds = 10 } = asked;
  const policy = { callableHours: hours, attemptsPerNumber: null, oneCallAtATime: false };
  const whole = { ...policy, exceptSingleCalls: false };
  const changed = version === null ? null : ({ owner: "usr_1", version, policy: whole, at: at(0) } as const);
  const recorded: RecordedEvent[] = [...BEGUN, ...events].map((event, index) => ({ event, ...place(index) }));
  return explain(
    recorded,
    { campaignId, contactId, at: at(seconds), language },
    {
      policy: changed === null ? null : { event: { type: "PolicyChanged", data: changed }, ...place(90) },
      ended: new Set(ended),
    },
  );
}

describe("a contact that the policy holds", () => {
  it.each([
    [
      cap,
      at(60),
      "is held by version 3 of the policy since 2026-09-01 13:00:04 +03:00 until 2026-09-01 13:01:00 +03:00: the number was dialled once that day, and at most 1 dial a day is allowed.",
      "numara o gün 1 kez arandı, günde en çok 1 aramaya izin var.",
    ],
    [
      { ...cap, value: 5, limit: "5/week" },
      at(60),
      "was dialled 5 times that week, and at most 5 dials a week are allowed.",
      "numara o hafta 5 kez arandı, haftada en çok 5 aramaya izin var.",
    ],
    [
      call,
      null,
      "the number is in the call call_9, and is called again after it.",
      "numara call_9 çağrısında",
    ],
  ] as const)("says until when and why", (terms, until, english, turkish) => {
    const said = told([held(terms)]);
    expect([said?.verdict, said?.until]).toEqual(["held_by_policy", until]);
    const { heldBy, value, limit, rule } = terms;
    expect(said?.hold).toEqual({ rule, until, heldBy, value, limit, since: at(4), policyVersion: 3 });
    expect(said?.sentence).toContain(english);
    expect(said?.because.map(({ type }) => type)).toEqual(["ContactHeld", "PolicyChanged"]);
    expect(told([held(terms)], { language: "tr" })?.sentence).toContain(turkish);
  });

  it("waits no more at its end, with another version, when that call has ended, and with its next dial", () => {
    const verdict = (terms: typeof cap | typeof call, asked: Asked) => told([held(terms)], asked)?.verdict;
    expect(verdict(cap, { seconds: 59 })).toBe("held_by_policy");
    expect(verdict(cap, { seconds: 60 })).toBe("due");
    expect(verdict(cap, { version: 4 })).toBe("due");
    expect(verdict(call, { ended: ["call_8"] })).toBe("held_by_policy");
    expect(verdict(call, { ended: ["call_9"] })).toBe("due");
  });

  it("says that the policy's hours are closed where it lives, and when they open", () => {
    const hours = { start: 14, end: 18 };
    const said = told([], { hours });
    expect([said?.verdict, said?.until, said?.hold?.rule]).toEqual([
      "held_by_policy",
      "2026-09-01T11:00:00.000Z",
      "callableHours",
    ]);
    expect(said?.sentence).toContain(
      "people are called between 14:00 and 18:00 where they live, and that begins again at 2026-09-01 14:00:00 +03:00.",
    );
    expect(told([], { hours, language: "tr" })?.sentence).toContain("yaşadığı yerde şimdi aranamaz");
    expect(told([], { hours: { start: 9, end: 18 } })?.verdict).toBe("due");
  });

  it("says of a pause at a closed hour that it is the policy's", () => {
    const data = { campaignId, at: at(5), reason: "outside_call_window", nextWindowOpensAt: at(99) } as const;
    const pause = (asked: Asked) => told([{ type: "CampaignPaused", data }], asked);
    const hours = { start: 14, end: 18 };
    expect(pause({ hours })?.sentence).toContain(
      ": by version 3 of the policy people are called between 14:00 and 18:00 where they live; the window opens",
    );
    expect(pause({ hours })?.because.map(({ type }) => type)).toEqual(["CampaignPaused", "PolicyChanged"]);
    expect(pause({ hours, language: "tr" })?.sentence).toContain("arama kurallarının 3. sürümüne göre");
    expect(pause({})?.sentence).not.toContain("policy");
  });

  it.each([
    [
      {
        rule: "eligibility",
        until: at(60),
        heldBy: null,
        value: null,
        limit: null,
        refusal: "cooling off",
      },
      "Ada (+14155550101) is held since 2026-09-01 13:00:04 +03:00 until 2026-09-01 13:01:00 +03:00: the address that is asked before each dial did not allow it: “cooling off”.",
      "her aramadan önce sorulan adres izin vermedi: “cooling off”.",
    ],
    [
      { rule: "eligibility_unavailable", until: at(60), heldBy: null, value: "timeout", limit: null },
      "the address that is asked before each dial gave no valid answer (timeout).",
      "her aramadan önce sorulan adres geçerli bir yanıt vermedi (timeout).",
    ],
  ] as const)("says what the address answered, also where there is no policy", (terms, english, turkish) => {
    const own = { ...held(terms), data: { ...held(terms).data, policyVersion: 0 } } as CampaignEvent;
    const said = told([own], { version: null });
    expect([said?.verdict, said?.until, said?.hold?.policyVersion]).toEqual(["held_by_policy", at(60), 0]);
    expect(said?.sentence).toContain(english);
    expect(said?.because.map(({ type }) => type)).toEqual(["ContactHeld"]);
    expect(told([own], { version: null, language: "tr" })?.sentence).toContain(turkish);
    expect(told([own], { version: 1 })?.verdict).toBe("due");
    expect(told([own], { version: null, seconds: 60 })?.verdict).toBe("due");
  });

  it.each([
    [
      { reason: "no_consent" },
      "is not called any more since 2026-09-01 13:00:05 +03:00: the policy calls only who has given consent, and no consent of this contact counted then.",
      "bu kişinin geçerli bir onayı yoktu.",
      "is not called: the policy calls only who has given consent, and none counts",
    ],
    [
      { reason: "not_eligible" },
      "+03:00: the address that is asked before each dial did not allow it.",
      "her aramadan önce sorulan adres izin vermedi.",
      "is not called: the address that is asked before each dial did not allow it",
    ],
    [
      { reason: "not_eligible", refusal: "moved away" },
      "did not allow it: “moved away”.",
      "izin vermedi: “moved away”.",
      "is not called: the address that is asked before each dial did not allow it: “moved away”",
    ],
    [
      { reason: "suppressed", suppression: ON_A_LIST },
      "the number was on the list “National registry” (a public registry), as of 2026-08-31 00:00:00 +03:00.",
      "numara “National registry” listesi (resmi kayıt) üzerindeydi; liste 2026-08-31 00:00:00 +03:00 tarihli.",
      "is not called: the number is on the list “National registry” (a public registry)",
    ],
  ] as const)("says why it is skipped: %j", (why, english, turkish, story) => {
    const data = { campaignId, contactId, at: at(5), outcome: "skipped", ...why } as const;
    const event = { type: "ContactSkipped", data } as const;
    expect(told([event])?.sentence).toContain(english);
    expect(told([event], { language: "tr" })?.sentence).toContain(turkish);
    const tell = campaignStoryteller();
    const lines = [...BEGUN, event].flatMap((each, revision) => tell({ event: each, ...place(revision) }));
    expect(lines.at(-1)?.endsWith(story), lines.at(-1)).toBe(true);
  });

  it("says of a number of nowhere that it is skipped for that", () => {
    const data = { campaignId, contactId, at: at(5), reason: "zone_unknown", outcome: "skipped" } as const;
    const said = (language: Language) => told([{ type: "ContactSkipped", data }], { language });
    expect(said("en")?.verdict).toBe("skipped");
    expect(said("en")?.sentence).toContain("where somebody with this number lives is not known.");
    expect(said("tr")?.sentence).toContain("bu numaranın saat dilimi bilinmiyor");
  });
});

it("the story tells of holds and of numbers of nowhere", () => {
  const tell = campaignStoryteller();
  const skip = { campaignId, contactId, at: at(5), reason: "zone_unknown", outcome: "skipped" } as const;
  const asked = { rule: "eligibility", until: at(60), heldBy: null, value: null, limit: null } as const;
  const events = [
    ...BEGUN,
    held(cap),
    held(call),
    held(asked),
    { type: "ContactSkipped", data: skip } as const,
  ];
  const lines = events.flatMap((event, revision) => tell({ event, ...place(revision) })).slice(-4);
  expect(lines.map((line) => line.replace(/^.*?\) /, ""))).toEqual([
    "waits until 2026-09-01 13:01:00 +03:00 by version 3 of the policy: the number was dialled once that day, and at most 1 dial a day is allowed",
    "waits by version 3 of the policy: the number is in the call call_9",
    "waits until 2026-09-01 13:01:00 +03:00: the address that is asked before each dial did not allow it",
    "is not called: the policy counts by the time where people live, which is not known of this number",
  ]);
});
