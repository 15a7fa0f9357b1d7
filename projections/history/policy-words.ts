import type { Language } from "../../contract/campaign-story.ts";
import type { SuppressionEntry } from "../../domain/campaign/events.ts";
import type { PolicyCheck } from "../../domain/policy/policy.ts";

type Cap = Pick<PolicyCheck, "value" | "limit">;

const TURKISH_PERIODS: ReadonlyMap<string, readonly [that: string, each: string]> = new Map([
  ["day", ["o gün", "günde"]],
  ["week", ["o hafta", "haftada"]],
  ["month", ["o ay", "ayda"]],
]);

/** What a limit of dials (`3/week`) saw, and what it allows. */
export function capWords(language: Language, { value, limit }: Cap): string {
  const [most = "", period = ""] = String(limit).split("/");
  if (language === "tr") {
    const [that, each] = TURKISH_PERIODS.get(period) ?? [period, period];
    return `numara ${that} ${value} kez arandı, ${each} en çok ${most} aramaya izin var`;
  }
  const times = value === 1 ? "once" : `${value} times`;
  const dials = most === "1" ? "1 dial" : `${most} dials`;
  return `the number was dialled ${times} that ${period}, and at most ${dials} a ${period} ${most === "1" ? "is" : "are"} allowed`;
}

type OwnList = NonNullable<SuppressionEntry["list"]>;

const KINDS: Readonly<Record<Language, Readonly<Record<OwnList["kind"], string>>>> = {
  en: {
    own: "the owner's own",
    registry: "a public registry",
    litigators: "people who sue",
    other: "another list",
  },
  tr: { own: "kendi listesi", registry: "resmi kayıt", litigators: "dava açanlar", other: "başka bir liste" },
};

/** A list beside the do-not-call list, by its name and what it is. */
export function listWords(language: Language, { name, kind }: OwnList): string {
  return language === "tr"
    ? `“${name}” listesi (${KINDS.tr[kind]})`
    : `the list “${name}” (${KINDS.en[kind]})`;
}

/** What the owner's address said; `reason` in its own words, absent: it gave none. */
export function refusedWords(language: Language, reason?: string): string {
  const why = reason === undefined ? "" : `: “${reason}”`;
  return language === "tr"
    ? `her aramadan önce sorulan adres izin vermedi${why}`
    : `the address that is asked before each dial did not allow it${why}`;
}

/** Holds by an address that is asked, which may be the campaign's own; null: another rule holds. */
export function askedWords(
  language: Language,
  { rule, value, refusal }: Pick<PolicyCheck, "rule" | "value"> & { readonly refusal?: string },
): string | null {
  if (rule === "eligibility") return refusedWords(language, refusal);
  if (rule !== "eligibility_unavailable") return null;
  const why = value === null ? "" : ` (${value})`;
  return language === "tr"
    ? `her aramadan önce sorulan adres geçerli bir yanıt vermedi${why}`
    : `the address that is asked before each dial gave no valid answer${why}`;
}
