import { useQuery } from "@tanstack/react-query";
import { ApiFailure } from "../../api/request.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Panel } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { Failure } from "../../ui/page.tsx";
import { type ImportReport, tryImport } from "./campaign-api.ts";
import { CreateButtons } from "./create-buttons.tsx";
import { type Draft, settingsOf } from "./draft.ts";
import { en } from "./en.ts";
import { Figures } from "./figures.tsx";
import { RejectedRows } from "./rejected-rows.tsx";
import { tr } from "./tr.ts";
import styles from "./wizard.module.css";

const TEXTS = { en, tr };

/** A dry run at the service, which alone decides; then the campaign. */
export function ReportStep({ draft, back }: { readonly draft: Draft; readonly back: () => void }) {
  const say = useTexts(TEXTS);
  const identity = identityOf(draft);
  const trial = useQuery({
    queryKey: ["import-trial", identity],
    queryFn: ({ signal }) => tryImport(draft, signal),
    retry: false,
    gcTime: 0,
  });
  return (
    <Panel title={say("step.report")}>
      <div className={`${layout.stack} ${layout.wide}`}>
        {trial.isPending ? <p role="status">{say("report.trying")}</p> : null}
        {trial.isError && isTooMany(trial.error) ? (
          <p role="alert" className={styles.fault} data-testid="too-many">
            {say("report.too_many")}
          </p>
        ) : null}
        {trial.isError ? <Failure error={trial.error} onRetry={() => void trial.refetch()} /> : null}
        {trial.data === undefined ? null : (
          <div data-testid="report" className={`${layout.stack} ${layout.wide}`}>
            <Figures report={trial.data} draft={draft} />
            <Warnings warnings={trial.data.warnings} />
            <RejectedRows report={trial.data} draft={draft} />
          </div>
        )}
        <div className={layout.row}>
          <Button data-testid="back" onClick={back}>
            {say("back")}
          </Button>
          {trial.data === undefined || trial.isError ? null : (
            <CreateButtons draft={draft} identity={identity} isPossible={trial.data.totalContacts > 0} />
          )}
        </div>
        {trial.data?.totalContacts === 0 ? (
          <p role="alert" className={styles.fault}>
            {say("report.none")}
          </p>
        ) : null}
      </div>
    </Panel>
  );
}

function isTooMany(error: unknown): boolean {
  return error instanceof ApiFailure && error.details.some(({ message }) => message.includes("10,000"));
}

/** Drafts with the same identity request the same campaign. */
function identityOf(draft: Draft): string {
  const { file } = draft;
  return JSON.stringify([settingsOf(draft), file?.name, file?.size, file?.lastModified]);
}

function Warnings({ warnings }: Pick<ImportReport, "warnings">) {
  const say = useTexts(TEXTS);
  if (warnings.length === 0) return null;
  return (
    <div className={styles.note}>
      <h3>{say("report.warnings")}</h3>
      <ul>
        {warnings.map(({ code, message, count = 0 }) => (
          <li key={code} data-warning={code} title={message}>
            {say(`warning.${code}`, { count })}
          </li>
        ))}
      </ul>
    </div>
  );
}
