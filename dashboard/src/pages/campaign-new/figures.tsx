import { useQuery } from "@tanstack/react-query";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import layout from "../../ui/layout.module.css";
import { accountQuery, type ImportReport, limitsQuery } from "./campaign-api.ts";
import type { Draft } from "./draft.ts";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };
type FiguresProps = { readonly report: ImportReport; readonly draft: Draft };

/** The counts of the dry run, and what they mean in time and credits. */
export function Figures({ report, draft }: FiguresProps) {
  const say = useTexts(TEXTS);
  const { number, credits } = useFormat();
  const duration = useDuration();
  const { data: limits } = useQuery(limitsQuery);
  const { data: account } = useQuery(accountQuery);
  const counts = [
    ["accepted", report.totalContacts],
    ["rejected", report.rejectedContacts.count],
    ["duplicates", report.duplicateContacts.count],
    ["normalized", report.normalized.count],
  ] as const;
  const lines = linesOf(draft, limits?.maxConcurrentCalls);
  return (
    <>
      <dl className={layout.figures}>
        {counts.map(([name, count]) => (
          <div key={name}>
            <dt>{say(`report.${name}`)}</dt>
            <dd data-count={name} data-value={count}>
              {number(count)}
            </dd>
          </div>
        ))}
      </dl>
      {lines === null || report.totalContacts === 0 ? null : (
        <p data-testid="estimate">
          {say(lines === 1 ? "report.estimate_one" : "report.estimate", {
            lines: number(lines),
            time: duration(report.totalContacts / lines),
          })}{" "}
          {account === undefined ? null : say("report.credits", { credits: credits(account.available) })}
        </p>
      )}
    </>
  );
}

function linesOf(draft: Draft, plan: number | undefined): number | null {
  const wanted = Number(draft.maxConcurrentCalls);
  const lines = draft.maxConcurrentCalls.trim() === "" ? plan : Math.min(wanted, plan ?? wanted);
  return lines === undefined || Number.isNaN(lines) || lines < 1 ? null : lines;
}

const MINUTES_OF_HOUR = 60;
/** From here on a tenth of an hour says nothing. */
const WHOLE_HOURS_FROM = 10;

/** About so many minutes or hours. */
function useDuration(): (minutes: number) => string {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  return (minutes) => {
    const whole = Math.ceil(minutes);
    if (whole <= 1) return say("time.minute");
    if (whole < MINUTES_OF_HOUR) return say("time.minutes", { count: number(whole) });
    const hours = minutes / MINUTES_OF_HOUR;
    const told = hours < WHOLE_HOURS_FROM ? Math.round(hours * 10) / 10 : Math.round(hours);
    return told === 1 ? say("time.hour") : say("time.hours", { count: number(told) });
  };
}
