import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import type { ApiFailure } from "../../api/request.ts";
import { useTexts } from "../../texts/language.tsx";
import { Page } from "../../ui/page.tsx";
import { assistantsQuery, phoneNumbersQuery } from "./campaign-api.ts";
import { ColumnsStep } from "./columns-step.tsx";
import { type Draft, emptyDraft } from "./draft.ts";
import { en } from "./en.ts";
import { FileStep } from "./file-step.tsx";
import { withAnyChoices, withOnlyChoices } from "./only-choices.ts";
import { PaceStep } from "./pace-step.tsx";
import { ReportStep } from "./report-step.tsx";
import { StepList } from "./step-list.tsx";
import { fieldOfPath, STEPS, type Step, stepOfField } from "./steps.ts";
import { TextsStep } from "./texts-step.tsx";
import { tr } from "./tr.ts";
import { useDuplicate } from "./use-duplicate.ts";

const TEXTS = { en, tr };
type Faults = Readonly<Record<string, string>>;

/** file → columns → texts → when and how fast → report → create. Inputs are kept after a refusal. */
export function CampaignNew() {
  const say = useTexts(TEXTS);
  const navigate = useNavigate();
  const { step: wanted, from, assistantId = "", greetingMessage = "" } = useSearch({ strict: false });
  const [typed, setTyped] = useState<Draft>(() => ({ ...emptyDraft(), assistantId, greetingMessage }));
  const [faults, setFaults] = useState<Faults>({});
  const duplicate = useDuplicate(from, setTyped);
  const assistants = useQuery(assistantsQuery);
  const numbers = useQuery(phoneNumbersQuery);
  const choices = [assistants.data ?? [], numbers.data ?? []] as const;
  const draft = withOnlyChoices(typed, ...choices);
  const change = (changed: Partial<Draft>) => {
    setTyped((before) => ({ ...before, ...changed }));
    setFaults((before) => without(before, Object.keys(changed)));
  };
  // A file cannot be in a URL, so a link to a later step begins with the first.
  const step = draft.file === null ? "file" : (wanted ?? "file");
  const [sought, seek] = useState<string | null>(null);
  useSought(sought, step, () => seek(null));
  const go = (to: Step) =>
    void navigate({ to: "/campaigns/new", search: { step: to, ...(from === undefined ? {} : { from }) } });
  const lead = (field: string) => {
    seek(field);
    go(stepOfField(field));
  };
  const refused = (details: ApiFailure["details"]) =>
    setFaults(Object.fromEntries(details.map(({ path, message }) => [fieldOfPath(path), message])));
  const place = STEPS.indexOf(step);
  const next = () => go(STEPS[place + 1] ?? step);
  const back = () => go(STEPS[place - 1] ?? step);
  const judged = withAnyChoices(draft, ...choices);
  const shared = { draft, judged, change, next, back, faultOf: (name: string) => faults[name] };
  const shown: Readonly<Record<Step, () => ReactNode>> = {
    file: () => <FileStep {...shared} />,
    columns: () => <ColumnsStep {...shared} />,
    texts: () => <TextsStep {...shared} assistants={assistants} numbers={numbers} />,
    pace: () => <PaceStep {...shared} />,
    report: () => <ReportStep draft={draft} back={back} lead={lead} refused={refused} />,
  };
  return (
    <Page
      name="campaign-new"
      title={say(from === undefined ? "title" : "title.duplicate")}
      state={duplicate.state}
      failure={duplicate.failure}
      onRetry={duplicate.retry}
    >
      <StepList
        current={step}
        reached={draft.file === null ? 0 : STEPS.length}
        refused={new Set(Object.keys(faults).map(stepOfField))}
        go={go}
      />
      {shown[step]()}
    </Page>
  );
}

const without = (faults: Faults, names: readonly string[]): Faults =>
  Object.fromEntries(Object.entries(faults).filter(([name]) => !names.includes(name.split(".")[0] ?? name)));

/** Gives the focus to the control that a warning or a refusal is about, once its step is there. */
function useSought(sought: string | null, step: Step, done: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each search
  useEffect(() => {
    if (sought === null || step !== stepOfField(sought)) return;
    const name = CSS.escape(sought);
    document.querySelector<HTMLElement>(`[name="${name}"], [name^="${name}."]`)?.focus();
    done();
  }, [sought, step]);
}
