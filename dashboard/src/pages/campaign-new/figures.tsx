import { useQuery } from "@tanstack/react-query";
import { callingSettings } from "../../calling/calling-draft.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import layout from "../../ui/layout.module.css";
import { accountQuery, estimateQuery, type ImportReport } from "./campaign-api.ts";
import type { Draft } from "./draft.ts";
import { en } from "./en.ts";
import { tr } from "./tr.ts";
import styles from "./wizard.module.css";

const TEXTS = { en, tr };
type FiguresProps = { readonly report: ImportReport; readonly draft: Draft };

/** The counts of the dry run, and what they mean in time and credits. */
export function Figures({ report, draft }: FiguresProps) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const counts = [
    ["accepted", report.totalContacts],
    ["rejected", report.rejectedContacts.count],
    ["duplicates", report.duplicateContacts.count],
    ["normalized", report.normalized.count],
  ] as const;
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
      {report.totalContacts === 0 ? null : <Estimate people={report.totalContacts} draft={draft} />}
    </>
  );
}

/** Hours and credits, as the service reckons them, and the sum that is missing. */
function Estimate({ people, draft }: { readonly people: number; readonly draft: Draft }) {
  const say = useTexts(TEXTS);
  const { credits: money } = useFormat();
  const duration = useDuration();
  const { data: account } = useQuery(accountQuery);
  const { data: preview } = useQuery(estimateQuery(people, callingSettings(draft)));
  const { hours = null, credits = null } = preview?.estimate ?? {};
  const missing = account === undefined || credits === null ? 0 : credits - account.available;
  return (
    <p data-testid="estimate" className={missing > 0 ? styles.note : undefined}>
      {[
        ...(hours === null ? [] : [say("report.estimate", { time: duration(hours) })]),
        ...(credits === null ? [] : [say("report.cost", { credits: money(credits) })]),
        ...(account === undefined ? [] : [say("report.credits", { credits: money(account.available) })]),
        ...(missing > 0 ? [say("report.missing", { credits: money(missing) })] : []),
      ].join(" ")}
    </p>
  );
}

const MINUTES_OF_HOUR = 60;
const HOURS_OF_DAY = 24;
/** From here on a tenth of an hour says nothing. */
const WHOLE_HOURS_FROM = 10;
/** From here on days say more than hours. */
const DAYS_FROM = 48;

/** About so many minutes, hours or days. */
function useDuration(): (hours: number) => string {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  return (hours) => {
    const minutes = Math.ceil(hours * MINUTES_OF_HOUR);
    if (minutes <= 1) return say("time.minute");
    if (minutes < MINUTES_OF_HOUR) return say("time.minutes", { count: number(minutes) });
    if (hours >= DAYS_FROM) return say("time.days", { count: number(Math.round(hours / HOURS_OF_DAY)) });
    const told = hours < WHOLE_HOURS_FROM ? Math.round(hours * 10) / 10 : Math.round(hours);
    return told === 1 ? say("time.hour") : say("time.hours", { count: number(told) });
  };
}
