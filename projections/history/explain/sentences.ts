import { ASKED_ON_THE_CALL, CALL_NOT_READABLE } from "../../../application/suppression/listing.ts";
import type { Language } from "../../../contract/campaign-story.ts";
import type { ContactSkipped, PauseReason, SuppressionEntry } from "../../../domain/campaign/events.ts";
import { assertNever } from "../../../domain/shared/errors.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { timesToCall } from "../../../domain/window/window-words.ts";
import { clockTime } from "../local-clock.ts";
import { askedWords, capWords, listWords, refusedWords } from "../policy-words.ts";
import type { ClosedHours, Judgement, PlannedWait } from "./judge-contact.ts";
import { endWords, refusalWords } from "./reason-words.ts";

/** The owner of the contact, and the zone of the times. */
export type Subject = { readonly who: string; readonly timezone: string; readonly at: Instant };

const SECOND_MILLIS = 1_000;
const MINUTE_MILLIS = 60_000;

/** A judgement in words; it states only what the judgement has. */
export function sentenceOf(language: Language, subject: Subject, judgement: Judgement): string {
  return language === "tr" ? turkish(subject, judgement) : english(subject, judgement);
}

function english({ who, timezone, at }: Subject, judged: Judgement): string {
  const time = (instant: Instant) => clockTime(timezone, instant);
  switch (judged.verdict) {
    case "suppressed":
      return `${who} is not called any more since ${time(judged.skip.at)}: the number was on ${listing("en", timezone, judged.skip.suppression)}.`;
    case "skipped":
      return `${who} is not called any more${skippedInEnglish(judged.skip, time)}.`;
    case "cancelled":
      return `${who} is not called any more: the campaign was cancelled at ${time(judged.cancel.at)}.`;
    case "reached":
      return `${who} was reached: attempt ${judged.end.attempt} ended at ${time(judged.end.at)} as ${endWords("en", judged.end.endReason)}${optedOut("en", judged.end)}.`;
    case "in_call":
      return `${who} is in a call: attempt ${judged.dial.attempt} was dialled at ${time(judged.dial.at)}.`;
    case "failed_for_good":
      return `${who} was not reached and is not called again: attempt ${judged.end.attempt} of at most ${judged.end.maxAttempts} ended at ${time(judged.end.at)} as ${endWords("en", judged.end.endReason)}, after which there is no retry${optedOut("en", judged.end)}.`;
    case "budget_used":
      return `${who} was not reached and is not called again: attempt ${judged.end.attempt} of at most ${judged.end.maxAttempts}, the last, ended at ${time(judged.end.at)} as ${endWords("en", judged.end.endReason)}.`;
    case "not_started":
      return `${who} waits for the campaign, which has not been started${judged.startAt === null ? "" : `; it starts by itself at ${time(judged.startAt)}`}.`;
    case "paused": {
      const { reason, nextWindowOpensAt: opens } = judged.pause;
      return `${who} waits for the campaign, which was paused at ${time(judged.pause.at)}: ${PAUSES.en[reason]}${hoursInEnglish(judged.hours)}${opens === null ? "" : `; the window opens at ${time(opens)}`}.`;
    }
    case "waiting_retry":
      if ("callback" in judged)
        return `${who} waits for a call at ${time(judged.callback.callbackAt)}, as agreed in attempt ${judged.callback.attempt} at ${time(judged.callback.agreedAt)}.`;
      return `${who} waits for a retry${judged.until === null ? "" : `, which is due at ${time(judged.until)}`}: attempt ${judged.end.attempt} of at most ${judged.end.maxAttempts} ended at ${time(judged.end.at)} as ${endWords("en", judged.end.endReason)}${plannedInEnglish(judged.planned)}.`;
    case "held_by_policy":
      return `${who} ${heldInEnglish(judged, time)}.`;
    case "outside_own_window":
      return `${who} is called ${timesToCall(judged.window)} in ${judged.timezone}, where it was ${clockTime(judged.timezone, at)}${judged.until === null ? "" : `; that begins again at ${clockTime(judged.timezone, judged.until)}`}.`;
    case "due":
      return `${who} was due since ${time(judged.since)} and not dialled by ${time(at)}.`;
    default:
      return assertNever(judged);
  }
}

function turkish({ who, timezone, at }: Subject, judged: Judgement): string {
  const time = (instant: Instant) => clockTime(timezone, instant);
  switch (judged.verdict) {
    case "suppressed":
      return `${who} artık aranmıyor (${time(judged.skip.at)} itibarıyla): numara ${listing("tr", timezone, judged.skip.suppression)}.`;
    case "skipped":
      return `${who} artık aranmıyor${skippedInTurkish(judged.skip, time)}.`;
    case "cancelled":
      return `${who} artık aranmıyor: kampanya ${time(judged.cancel.at)} zamanında iptal edildi.`;
    case "reached":
      return `${who} kişisine ulaşıldı: ${judged.end.attempt}. deneme ${time(judged.end.at)} zamanında sona erdi (${endWords("tr", judged.end.endReason)})${optedOut("tr", judged.end)}.`;
    case "in_call":
      return `${who} şu anda bir çağrıda: ${judged.dial.attempt}. deneme ${time(judged.dial.at)} zamanında arandı.`;
    case "failed_for_good":
      return `${who} kişisine ulaşılamadı, yeniden aranmayacak: en fazla ${judged.end.maxAttempts} denemenin ${judged.end.attempt}. denemesi ${time(judged.end.at)} zamanında sona erdi (${endWords("tr", judged.end.endReason)}); bundan sonra yeniden deneme yok${optedOut("tr", judged.end)}.`;
    case "budget_used":
      return `${who} kişisine ulaşılamadı, yeniden aranmayacak: en fazla ${judged.end.maxAttempts} denemenin sonuncusu olan ${judged.end.attempt}. deneme ${time(judged.end.at)} zamanında sona erdi (${endWords("tr", judged.end.endReason)}).`;
    case "not_started":
      return `${who} kampanyayı bekliyor; kampanya başlatılmadı${judged.startAt === null ? "" : `, ${time(judged.startAt)} zamanında kendiliğinden başlayacak`}.`;
    case "paused": {
      const { reason, nextWindowOpensAt: opens } = judged.pause;
      return `${who} kampanyayı bekliyor; kampanya ${time(judged.pause.at)} zamanında duraklatıldı: ${PAUSES.tr[reason]}${hoursInTurkish(judged.hours)}${opens === null ? "" : `; arama saatleri ${time(opens)} zamanında başlıyor`}.`;
    }
    case "waiting_retry":
      if ("callback" in judged)
        return `${who} ${time(judged.callback.callbackAt)} zamanındaki çağrıyı bekliyor; bu ${judged.callback.attempt}. denemede, ${time(judged.callback.agreedAt)} zamanında kararlaştırıldı.`;
      return `${who} yeniden aranmayı bekliyor${judged.until === null ? "" : `, zamanı ${time(judged.until)}`}: en fazla ${judged.end.maxAttempts} denemenin ${judged.end.attempt}. denemesi ${time(judged.end.at)} zamanında sona erdi (${endWords("tr", judged.end.endReason)})${plannedInTurkish(judged.planned)}.`;
    case "held_by_policy":
      return `${who} ${heldInTurkish(judged, time)}.`;
    case "outside_own_window":
      return `${who} kendi arama saatlerinin dışında: ${judged.timezone} diliminde saat ${clockTime(judged.timezone, at)} idi${judged.until === null ? "" : `; arama saatleri ${clockTime(judged.timezone, judged.until)} zamanında başlıyor`}.`;
    case "due":
      return `${who} ${time(judged.since)} zamanından beri sırada, ${time(at)} zamanına kadar aranmadı.`;
    default:
      return assertNever(judged);
  }
}

type Skip = ContactSkipped["data"];

function skippedInEnglish(skip: Skip, time: (instant: Instant) => string): string {
  const { unknownCall, reason, refusal, at } = skip;
  if (unknownCall !== undefined)
    return `: call ${unknownCall.callId} of ${time(unknownCall.calledAt)} is not in this log, which was restored, and what it came to is unknown`;
  const since = ` since ${time(at)}`;
  if (reason === "zone_unknown")
    return `${since}: the policy counts by the time where people live, and where somebody with this number lives is not known`;
  if (reason === "no_consent")
    return `${since}: the policy calls only who has given consent, and no consent of this contact counted then`;
  if (reason === "not_eligible") return `${since}: ${refusedWords("en", refusal)}`;
  return `: that was asked for at ${time(at)}`;
}

function skippedInTurkish(skip: Skip, time: (instant: Instant) => string): string {
  const { unknownCall, reason, refusal, at } = skip;
  if (unknownCall !== undefined)
    return `: ${time(unknownCall.calledAt)} zamanındaki ${unknownCall.callId} çağrısı geri yüklenen bu günlükte yok, sonucu bilinmiyor`;
  const since = ` (${time(at)} itibarıyla)`;
  if (reason === "zone_unknown")
    return `${since}: arama kuralları yaşanan yerin saatine bakıyor ve bu numaranın saat dilimi bilinmiyor`;
  if (reason === "no_consent")
    return `${since}: arama kuralları yalnızca onay verenlerin aranmasına izin veriyor ve bu kişinin geçerli bir onayı yoktu`;
  if (reason === "not_eligible") return `${since}: ${refusedWords("tr", refusal)}`;
  return `: bu ${time(at)} zamanında istendi`;
}

type Held = Extract<Judgement, { readonly verdict: "held_by_policy" }>;

function heldInEnglish({ hold, hours, ...said }: Held, time: (instant: Instant) => string): string {
  const { rule, since, until, heldBy, policyVersion } = hold;
  const by = `held by version ${policyVersion} of the policy`;
  if (rule === "callableHours" && hours !== null)
    return `is ${by}: people are called ${timesToCall(hours.window)} where they live${until === null ? "" : `, and that begins again at ${time(until)}`}`;
  const from = since === null ? "" : ` since ${time(since)}`;
  if (rule === "oneCallAtATime")
    return `is ${by}${from}: the number is in the call ${heldBy}, and is called again after it`;
  const asked = askedWords("en", { ...hold, ...said });
  if (asked !== null) return `is held${from}${until === null ? "" : ` until ${time(until)}`}: ${asked}`;
  return `is ${by}${from}${until === null ? "" : ` until ${time(until)}`}: ${capWords("en", hold)}`;
}

function heldInTurkish({ hold, hours, ...said }: Held, time: (instant: Instant) => string): string {
  const { rule, since, until, heldBy, policyVersion } = hold;
  const by = `arama kurallarının ${policyVersion}. sürümü nedeniyle bekliyor`;
  if (rule === "callableHours" && hours !== null)
    return `${by}: yaşadığı yerde şimdi aranamaz${until === null ? "" : `; arama saatleri ${time(until)} zamanında başlıyor`}`;
  const from = since === null ? "" : ` (${time(since)} zamanından beri)`;
  if (rule === "oneCallAtATime")
    return `${by}${from}: numara ${heldBy} çağrısında; o çağrı bitince yeniden sıraya girer`;
  const asked = askedWords("tr", { ...hold, ...said });
  if (asked !== null)
    return `bekliyor${from}${until === null ? "" : `, ${time(until)} zamanına kadar`}: ${asked}`;
  return `${by}${from}${until === null ? "" : `, ${time(until)} zamanına kadar`}: ${capWords("tr", hold)}`;
}

/** Which hours are closed, where they are those of the policy. */
function hoursInEnglish(hours: ClosedHours | null): string {
  if (hours === null) return "";
  return `: by version ${hours.policyVersion} of the policy people are called ${timesToCall(hours.window)} where they live`;
}

function hoursInTurkish(hours: ClosedHours | null): string {
  if (hours === null) return "";
  return `: arama kurallarının ${hours.policyVersion}. sürümüne göre yaşadıkları yerde şimdi aranmıyorlar`;
}

/** On which list the number was; who put it on the do-not-call list, and why. */
function listing(language: Language, timezone: string, entry: SuppressionEntry | undefined): string {
  if (entry?.list !== undefined) {
    const [list, day] = [listWords(language, entry.list), clockTime(timezone, entry.createdAt)];
    return language === "tr" ? `${list} üzerindeydi; liste ${day} tarihli` : `${list}, as of ${day}`;
  }
  const told = listedBy(language, timezone, entry);
  return language === "tr" ? `arama yasağı listesindeydi; ${told}` : `the do-not-call list, ${told}`;
}

function listedBy(language: Language, timezone: string, entry: SuppressionEntry | undefined): string {
  if (entry === undefined)
    return language === "tr" ? "listeye kimin eklediği kaydedilmemiş" : "who put it there was not recorded";
  const since = clockTime(timezone, entry.createdAt);
  const { callId, by, reason } = entry;
  if (callId === undefined) {
    const words = reason === null ? "" : `: “${reason}”`;
    return language === "tr"
      ? `listeye ${since} zamanında ${by ?? "kim olduğu kaydedilmeyen biri"} tarafından eklendi${words}`
      : `put there at ${since} by ${by ?? "somebody who was not recorded"}${words}`;
  }
  if (reason === CALL_NOT_READABLE)
    return language === "tr"
      ? `${since} zamanından beri listede; ${callId} çağrısında söylenenler okunamıyor`
      : `where it is since ${since}; what was said on the call ${callId} cannot be read`;
  // That of the call says nothing more.
  const words = reason === null || reason === ASKED_ON_THE_CALL ? "" : `: “${reason}”`;
  return language === "tr"
    ? `${since} zamanından beri listede; ${callId} çağrısında bir daha aranmamak istendi${words}`
    : `where it is since ${since}; on the call ${callId} somebody asked never to be called again${words}`;
}

function optedOut(language: Language, end: { readonly optedOut?: true }): string {
  if (end.optedOut !== true) return "";
  return language === "tr"
    ? "; o çağrıda bir daha aranmamak istendi"
    : "; on that call it was asked never to be called again";
}

/** Why the retry is due then; nothing where the one interval of the campaign says it. */
function plannedInEnglish(wait: PlannedWait | null): string {
  if (wait === null) return "";
  const { count, isMinutes } = spanOf(wait);
  const later = `${count} ${isMinutes ? "minute" : "second"}${count === 1 ? "" : "s"} later`;
  const when = wait.sameDay ? later : `on a later day, ${later} at the earliest`;
  return `, and row ${wait.row} of the retry plan says ${when}`;
}

/** Minutes that are shorter (simulated) are told in seconds. */
function spanOf({ millis }: PlannedWait): { readonly count: number; readonly isMinutes: boolean } {
  const isMinutes = millis % MINUTE_MILLIS === 0;
  return { count: millis / (isMinutes ? MINUTE_MILLIS : SECOND_MILLIS), isMinutes };
}

function plannedInTurkish(wait: PlannedWait | null): string {
  if (wait === null) return "";
  const { count, isMinutes } = spanOf(wait);
  const later = `${count} ${isMinutes ? "dakika" : "saniye"} sonra`;
  const when = wait.sameDay ? later : `başka bir gün, en erken ${later}`;
  return `; yeniden arama planının ${wait.row}. satırına göre ${when}`;
}

const PAUSES: Readonly<Record<Language, Readonly<Record<PauseReason, string>>>> = {
  en: {
    manual: "by its owner; only a resume ends it",
    phone_number_inactive: "its phone number is not active",
    assistant_unpublished: "its assistant is not published",
    outside_call_window: "nobody may be called at this hour",
    insufficient_credits: "not enough credits for one minute of a call",
    carrier_unavailable: "the carrier did not answer",
    assistant_unavailable: "the assistant could not talk",
    policy_refuses_all: "the owner's policy allows nobody who is left",
    list_outdated: "a list of numbers that are not called is too old",
    eligibility_unavailable: "whoever says who may be called does not answer",
  },
  tr: {
    manual: "sahibi tarafından; yalnızca devam ettirilirse sürer",
    phone_number_inactive: "telefon numarası etkin değil",
    assistant_unpublished: "asistanı yayında değil",
    outside_call_window: "bu saatte kimse aranamaz",
    insufficient_credits: "bir dakikalık görüşmeye yetecek kredi yok",
    carrier_unavailable: "operatör yanıt vermedi",
    assistant_unavailable: "asistan konuşamadı",
    policy_refuses_all: "hesabın arama kuralları kalan kimseye izin vermiyor",
    list_outdated: "aranmayacak numaraların bir listesi fazla eski",
    eligibility_unavailable: "kimin aranabileceğini söyleyen adres yanıt vermiyor",
  },
};

/** For a number that an import refused, in UTC: there is no contact, and no zone. */
export function rejectedSentence(
  language: Language,
  { number, at, reason }: { readonly number: string; readonly at: Instant; readonly reason: string },
): string {
  const time = clockTime("UTC", at);
  return language === "tr"
    ? `${number} hiç aranmadı: içe aktarma ${time} zamanında (UTC) bu numarayı reddetti (${refusalWords("tr", reason)}).`
    : `${number} was never to be called: an import refused it at ${time} UTC as ${refusalWords("en", reason)}.`;
}
