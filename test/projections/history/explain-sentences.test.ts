import { expect, it } from "vitest";
import type { RecordedEvent } from "../../../application/ports/event-codec.ts";
import { ASKED_ON_THE_CALL, CALL_NOT_READABLE } from "../../../application/suppression/listing.ts";
import type { Language } from "../../../contract/campaign-story.ts";
import { END_REASONS } from "../../../domain/call/end-reason.ts";
import type { CampaignEvent, ImportedContact } from "../../../domain/campaign/events.ts";
import type { CampaignSettings } from "../../../domain/campaign/settings.ts";
import { explain } from "../../../projections/history/explain/explain-contact.ts";
import { rejectedSentence } from "../../../projections/history/explain/sentences.ts";
import { at, campaignId, contact, creation, imported } from "../../domain/campaign/example-campaign.ts";

const ada = contact(1, { name: "Ada" });
const contactId = ada.contactId;
const moment = (seconds: number) => ({ campaignId, contactId, at: at(seconds) }) as const;

function begun(settings: Partial<CampaignSettings> = {}, person: ImportedContact = ada): CampaignEvent[] {
  return [imported([person]), { type: "CampaignCreated", data: creation(1, settings) }];
}
const started: CampaignEvent = { type: "CampaignStarted", data: { campaignId, at: at(0) } };
const evidence = {
  localTime: "",
  utcOffsetMinutes: 180,
  timezone: "Europe/Istanbul",
  window: null,
  activeCalls: 1,
  effectiveMaxConcurrentCalls: 1,
  availableCredits: 0,
  attempt: 1,
};
const dialed: CampaignEvent = {
  type: "ContactDialed",
  data: {
    ...moment(1),
    callId: "call_1",
    phoneNumber: "+14155550101",
    attempt: 1,
    dialAt: at(1),
    dialBy: at(9),
    evidence,
  },
};
const end = { ...moment(5), callId: "call_1", attempt: 1, durationSeconds: null, maxAttempts: 3 } as const;
const failed = (changes: object): CampaignEvent => ({
  type: "ContactAttemptFailed",
  data: { ...end, endReason: "busy", retryAt: null, ...changes },
});
const planned: Partial<CampaignSettings> = {
  window: { start: 9, end: 18 },
  retryPlan: [
    { endReasons: ["busy"], afterMins: [10, 30], sameDay: true },
    { endReasons: ["no_answer"], afterMins: [1], sameDay: false },
  ],
};
const byRow = (planRow: number, minutes: number) => ({ planRow, retryIntervalMillis: minutes * 60_000 });
const skipped = (changes: object): CampaignEvent => ({
  type: "ContactSkipped",
  data: { ...moment(3), reason: "suppressed", outcome: "skipped", ...changes },
});
const suppression = { reason: "asked us", createdAt: at(2), by: "key_1" };
const byCall = (reason: string) => ({ reason, createdAt: at(2), by: null, callId: "call_9" });

function told(events: readonly CampaignEvent[], language: Language = "en") {
  const recorded = events.map(
    (event, index): RecordedEvent => ({
      event,
      id: String(index),
      position: String(index + 1),
      revision: index,
      stream: `campaign-${campaignId}`,
      created: at(0),
      metadata: { owner: "usr_1", actor: "key_1", correlationId: "c", causationId: null, schemaVersion: 1 },
    }),
  );
  return explain(recorded, { campaignId, contactId, at: at(10), language });
}

it.each<[string, string | null, RegExp, RegExp, readonly CampaignEvent[]]>([
  ["suppressed", null, /asked us/, /arama yasağı/, [...begun(), started, skipped({ suppression })]],
  ["suppressed", null, /not recorded/, /kaydedilmemiş/, [...begun(), started, skipped({})]],
  [
    "suppressed",
    null,
    /where it is since 2026-09-01 13:00:02 \+03:00; on the call call_9 somebody asked never to be called again\.$/,
    /çağrısında bir daha aranmamak istendi\.$/,
    [...begun(), started, skipped({ suppression: byCall(ASKED_ON_THE_CALL) })],
  ],
  [
    "suppressed",
    null,
    /on the call call_9 somebody asked never to be called again: “asked us”\.$/,
    /istendi: “asked us”\.$/,
    [...begun(), started, skipped({ suppression: byCall("asked us") })],
  ],
  [
    "suppressed",
    null,
    /what was said on the call call_9 cannot be read\.$/,
    /söylenenler okunamıyor\.$/,
    [...begun(), started, skipped({ suppression: byCall(CALL_NOT_READABLE) })],
  ],
  [
    "reached",
    null,
    /as assistant ended; on that call it was asked never to be called again\.$/,
    /; o çağrıda bir daha aranmamak istendi\.$/,
    [
      ...begun(),
      started,
      dialed,
      { type: "ContactSucceeded", data: { ...end, endReason: "assistant_ended", optedOut: true } },
    ],
  ],
  [
    "failed_for_good",
    null,
    /after which there is no retry; on that call it was asked never to be called again\.$/,
    /yeniden deneme yok; o çağrıda bir daha aranmamak istendi\.$/,
    [...begun(), started, dialed, failed({ attempt: 3, endReason: "busy", optedOut: true })],
  ],
  [
    "skipped",
    null,
    /asked for at 2026-09-01 13:00:03 \+03:00/,
    /istendi/,
    [...begun(), skipped({ reason: "by_request" })],
  ],
  [
    "cancelled",
    null,
    /cancelled at/,
    /iptal edildi/,
    [
      ...begun(),
      started,
      { type: "CampaignCancelled", data: { campaignId, at: at(2), hangUpActiveCalls: false } },
    ],
  ],
  [
    "reached",
    null,
    /attempt 1 ended .* as customer ended/,
    /ulaşıldı/,
    [
      ...begun(),
      started,
      dialed,
      { type: "ContactSucceeded", data: { ...end, endReason: "customer_ended" } },
    ],
  ],
  ["in_call", null, /attempt 1 was dialled at/, /bir çağrıda/, [...begun(), started, dialed]],
  [
    "failed_for_good",
    null,
    /no retry/,
    /yeniden deneme yok/,
    [...begun({ retryOn: [] }), started, dialed, failed({})],
  ],
  [
    "budget_used",
    null,
    /at most 3, the last/,
    /sonuncusu/,
    [...begun(), started, dialed, failed({ attempt: 3 })],
  ],
  [
    "not_started",
    at(60),
    /starts by itself at 2026-09-01 13:01:00/,
    /kendiliğinden/,
    begun({ startAt: at(60) }),
  ],
  [
    "paused",
    at(99),
    /nobody may be called.*opens at/,
    /bu saatte kimse aranamaz; arama saatleri 2026-09-01 13:01:39 \+03:00 zamanında başlıyor\.$/,
    [
      ...begun(),
      started,
      {
        type: "CampaignPaused",
        data: { campaignId, at: at(4), reason: "outside_call_window", nextWindowOpensAt: at(99) },
      },
    ],
  ],
  [
    "paused",
    null,
    /by its owner; only a resume ends it\.?$/,
    /yalnızca devam ettirilirse sürer\.$/,
    [
      ...begun(),
      started,
      {
        type: "CampaignPaused",
        data: { campaignId, at: at(4), reason: "manual", nextWindowOpensAt: null },
      },
    ],
  ],
  [
    "waiting_retry",
    at(305),
    /due at 2026-09-01 13:05:05/,
    /bekliyor/,
    [...begun(), started, dialed, failed({ retryAt: at(305) })],
  ],
  [
    "waiting_retry",
    at(605),
    /ended at 2026-09-01 13:00:05 .* as busy, and row 1 of the retry plan says 10 minutes later\.$/,
    /\(meşgul\); yeniden arama planının 1\. satırına göre 10 dakika sonra\.$/,
    [...begun(planned), started, dialed, failed({ retryAt: at(605), ...byRow(0, 10) })],
  ],
  [
    "waiting_retry",
    at(15),
    /row 1 of the retry plan says 10\.5 seconds later\.$/,
    /1\. satırına göre 10\.5 saniye sonra\.$/,
    [
      ...begun(planned),
      started,
      dialed,
      failed({ retryAt: at(15), planRow: 0, retryIntervalMillis: 10_500 }),
    ],
  ],
  [
    "waiting_retry",
    at(72_000),
    /due at 2026-09-02 09:00:00 .* row 2 of the retry plan says on a later day, 1 minute later at the earliest\.$/,
    /2\. satırına göre başka bir gün, en erken 1 dakika sonra\.$/,
    [
      ...begun(planned),
      started,
      dialed,
      failed({ endReason: "no_answer", retryAt: at(72_000), ...byRow(1, 1) }),
      // What is changed afterwards explains nothing of before.
      { type: "CampaignSettingsChanged", data: { campaignId, at: at(7), changes: { retryPlan: null } } },
    ],
  ],
  [
    "outside_own_window",
    "2026-09-01T13:00:00.000Z",
    /09:00 and 18:00 in America\/New_York, where it was 2026-09-01 06:00:10/,
    /dışında/,
    [...begun({ window: { start: 9, end: 18 } }, { ...ada, timezone: "America/New_York" }), started],
  ],
  ["due", null, /due since 2026-09-01 13:00:00 \+03:00 and not dialled/, /aranmadı/, [...begun(), started]],
])("%s, until %s: %s", (verdict, until, english, turkish, events) => {
  const said = told(events);
  expect([said?.verdict, said?.until]).toEqual([verdict, until]);
  expect(said?.sentence).toMatch(english);
  expect(said?.sentence).toContain("Ada (+14155550101)");
  expect(told(events, "tr")?.sentence).toMatch(turkish);
  expect(said?.because.length).toBeGreaterThan(0);
});

it("names the call on which somebody asked never to be called again", () => {
  const callOf = (...events: readonly CampaignEvent[]) =>
    told([...begun(), started, ...events])?.optOutCallId;
  expect(callOf(skipped({ suppression: byCall(ASKED_ON_THE_CALL) }))).toBe("call_9");
  expect(callOf(dialed, failed({ optedOut: true }))).toBe("call_1");
  expect([callOf(), callOf(dialed, failed({})), callOf(skipped({ suppression }))]).toEqual([
    null,
    null,
    null,
  ]);
});

it("the cancel is why a call that was under way is the last", () => {
  const cancelled: CampaignEvent = {
    type: "CampaignCancelled",
    data: { campaignId, at: at(3), hangUpActiveCalls: false },
  };
  const said = told([...begun(), started, dialed, cancelled, failed({})]);
  expect(said?.verdict).toBe("cancelled");
  expect(said?.because.map(({ type }) => type)).toEqual(["CampaignCancelled", "ContactAttemptFailed"]);
});

it("a failure is explained by the settings of its attempt, whatever was changed afterwards", () => {
  const changed = (retryOn: CampaignSettings["retryOn"]): CampaignEvent => ({
    type: "CampaignSettingsChanged",
    data: { campaignId, at: at(7), changes: { retryOn } },
  });
  const verdict = (before: CampaignSettings["retryOn"], after: CampaignSettings["retryOn"]) =>
    told([...begun({ retryOn: before }), started, dialed, failed({ attempt: 3 }), changed(after)])?.verdict;
  expect(verdict(["busy"], [])).toBe("budget_used");
  expect(verdict([], ["busy"])).toBe("failed_for_good");
});

it.each(["en", "tr"] as const)("says in words why a call ended: %s", (language) => {
  for (const endReason of Object.keys(END_REASONS)) {
    const sentence = told([...begun(), started, dialed, failed({ endReason })], language)?.sentence ?? "";
    expect(sentence).toMatch(/Ada/);
    expect(sentence).not.toContain("_");
    if (language === "tr") expect(sentence).not.toContain(endReason.replaceAll("_", " "));
  }
  expect(told([...begun(), started, dialed, failed({ endReason: "no_answer" })], "tr")?.sentence).toContain(
    "(yanıt yok)",
  );
});

it.each([
  ["en", "as spreadsheet number."],
  ["tr", "(hesap tablosu okunmaz yapmış)."],
] as const)("says in words why an import refused a number: %s", (language, words) => {
  const refusal = { number: "9.05E+11", at: at(1), reason: "spreadsheet_number" };
  expect(rejectedSentence(language, refusal)).toContain(words);
});

it("of nobody it tells nothing", () => {
  expect(told([imported([ada]), started])).toBeNull();
});
