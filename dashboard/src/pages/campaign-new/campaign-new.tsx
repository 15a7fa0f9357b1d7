import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTexts } from "../../texts/language.tsx";
import { Page } from "../../ui/page.tsx";
import { assistantsQuery, phoneNumbersQuery } from "./campaign-api.ts";
import { ColumnsStep } from "./columns-step.tsx";
import { type Draft, emptyDraft } from "./draft.ts";
import { en } from "./en.ts";
import { FileStep } from "./file-step.tsx";
import { withOnlyChoices } from "./only-choices.ts";
import { PaceStep } from "./pace-step.tsx";
import { ReportStep } from "./report-step.tsx";
import { StepList } from "./step-list.tsx";
import { STEPS, type Step } from "./steps.ts";
import { TextsStep } from "./texts-step.tsx";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };

/** file → columns → texts → when and how fast → report → create. Inputs are kept after a refusal. */
export function CampaignNew() {
  const say = useTexts(TEXTS);
  const navigate = useNavigate();
  const { step: wanted, ...given } = useSearch({ strict: false });
  const [typed, setTyped] = useState<Draft>(() => ({ ...emptyDraft(), ...given }));
  const assistants = useQuery(assistantsQuery);
  const numbers = useQuery(phoneNumbersQuery);
  const draft = withOnlyChoices(typed, assistants.data ?? [], numbers.data ?? []);
  const change = (changed: Partial<Draft>) => setTyped((before) => ({ ...before, ...changed }));
  // A file cannot be in a URL, so a link to a later step begins with the first.
  const step = draft.file === null ? "file" : (wanted ?? "file");
  const go = (to: Step) => void navigate({ to: "/campaigns/new", search: { step: to } });
  const place = STEPS.indexOf(step);
  const next = () => go(STEPS[place + 1] ?? step);
  const back = () => go(STEPS[place - 1] ?? step);
  const shared = { draft, change, next, back };
  const shown: Readonly<Record<Step, () => ReactNode>> = {
    file: () => <FileStep {...shared} />,
    columns: () => <ColumnsStep {...shared} />,
    texts: () => <TextsStep {...shared} assistants={assistants} numbers={numbers} />,
    pace: () => <PaceStep {...shared} />,
    report: () => <ReportStep draft={draft} back={back} />,
  };
  return (
    <Page name="campaign-new" title={say("title")} state="ready">
      <StepList current={step} reached={draft.file === null ? 0 : STEPS.length} go={go} />
      {shown[step]()}
    </Page>
  );
}
