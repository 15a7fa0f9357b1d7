import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiFailure } from "../../api/request.ts";
import { useHours } from "../../calling/use-hours.ts";
import { PolicyAdds } from "../../policy/policy-adds.tsx";
import { useTexts } from "../../texts/language.tsx";
import { Button, Panel } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { Failure } from "../../ui/page.tsx";
import { isTooMany, tryImport } from "./campaign-api.ts";
import { CreateButtons } from "./create-buttons.tsx";
import { type Draft, settingsOf } from "./draft.ts";
import { en } from "./en.ts";
import { Figures } from "./figures.tsx";
import { RejectedRows } from "./rejected-rows.tsx";
import { fieldOfPath, stepOfField } from "./steps.ts";
import { tr } from "./tr.ts";
import { Warnings } from "./warnings.tsx";
import styles from "./wizard.module.css";

const TEXTS = { en, tr };

type ReportStepProps = {
  readonly draft: Draft;
  readonly back: () => void;
  /** To the control of a field. */
  readonly lead: (field: string) => void;
  readonly refused: (details: ApiFailure["details"]) => void;
};

/** A dry run at the service, which alone decides; then the campaign. */
export function ReportStep({ draft, back, lead, refused }: ReportStepProps) {
  const say = useTexts(TEXTS);
  const hours = useHours();
  const identity = identityOf(draft);
  const trial = useQuery({
    queryKey: ["import-trial", identity],
    queryFn: ({ signal }) => tryImport(draft, signal),
    retry: false,
    gcTime: 0,
  });
  const { error } = trial;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    if (error instanceof ApiFailure) refused(error.details);
  }, [error]);
  return (
    <Panel title={say("step.report")}>
      <div className={`${layout.stack} ${layout.wide}`}>
        {trial.isPending ? <p role="status">{say("report.trying")}</p> : null}
        {isTooMany(error) ? (
          <p role="alert" className={styles.fault} data-testid="too-many">
            {say("report.too_many")}
          </p>
        ) : null}
        {error === null ? null : <Refusal error={error} lead={lead} onRetry={() => void trial.refetch()} />}
        {trial.data === undefined ? null : (
          <div data-testid="report" className={`${layout.stack} ${layout.wide}`}>
            <Figures report={trial.data} draft={draft} />
            <p data-testid="hours">{hours(draft, draft.columns.timezone !== "")}</p>
            <PolicyAdds />
            <Warnings warnings={trial.data.warnings} lead={lead} />
            <RejectedRows report={trial.data} draft={draft} />
          </div>
        )}
        {trial.data?.totalContacts === 0 ? (
          <p role="alert" className={styles.fault}>
            {say("report.none")}
          </p>
        ) : null}
        <div className={layout.row}>
          <Button data-testid="back" onClick={back}>
            {say("back")}
          </Button>
          {trial.data === undefined || trial.isError ? null : (
            <CreateButtons draft={draft} identity={identity} people={trial.data.totalContacts} />
          )}
        </div>
      </div>
    </Panel>
  );
}

type RefusalProps = Pick<ReportStepProps, "lead"> & { readonly error: unknown; readonly onRetry: () => void };

/** Why, and the way to each step with a field that was refused. */
function Refusal({ error, lead, onRetry }: RefusalProps) {
  const say = useTexts(TEXTS);
  const details = error instanceof ApiFailure ? error.details : [];
  const first = new Map(
    details
      .map(({ path }) => fieldOfPath(path))
      .reverse()
      .map((field) => [stepOfField(field), field]),
  );
  return (
    <>
      <Failure error={error} onRetry={onRetry} />
      <div className={layout.row}>
        {[...first].map(([step, field]) => (
          <Button key={step} data-lead={field} onClick={() => lead(field)}>
            {say("report.to-field", { step: say(`step.${step}`) })}
          </Button>
        ))}
      </div>
    </>
  );
}

/** Drafts with the same identity request the same campaign. */
function identityOf(draft: Draft): string {
  const { file } = draft;
  return JSON.stringify([settingsOf(draft), file?.name, file?.size, file?.lastModified]);
}
