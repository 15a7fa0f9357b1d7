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
  const { number } = useFormat();
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
        <p className={layout.small}>
          {say("report.estimate", {
            lines: number(lines),
            minutes: number(Math.ceil(report.totalContacts / lines)),
          })}
        </p>
      )}
      {account === undefined ? null : (
        <p className={layout.small}>{say("report.credits", { credits: number(account.available) })}</p>
      )}
    </>
  );
}

function linesOf(draft: Draft, plan: number | undefined): number | null {
  const wanted = Number(draft.maxConcurrentCalls);
  const lines = draft.maxConcurrentCalls.trim() === "" ? plan : Math.min(wanted, plan ?? wanted);
  return lines === undefined || Number.isNaN(lines) || lines < 1 ? null : lines;
}
