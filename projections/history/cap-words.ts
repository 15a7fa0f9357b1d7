import type { Language } from "../../contract/campaign-story.ts";
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
