import { useQuery } from "@tanstack/react-query";
import { faultOfHours } from "../../calling/calling-draft.ts";
import { CallingFields } from "../../calling/calling-fields.tsx";
import { PolicyAdds } from "../../policy/policy-adds.tsx";
import { useTexts } from "../../texts/language.tsx";
import { limitsQuery } from "./campaign-api.ts";
import { en } from "./en.ts";
import { StepForm } from "./step-form.tsx";
import type { StepProps } from "./steps.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };

export function PaceStep({ draft, change, next, back, faultOf }: StepProps) {
  const say = useTexts(TEXTS);
  const { data: limits } = useQuery(limitsQuery);
  // What cannot be meant is told beside the hours.
  const go = () => {
    if (faultOfHours(draft) === null) next();
  };
  return (
    <StepForm title={say("step.pace")} onNext={go} onBack={back}>
      <CallingFields
        draft={draft}
        change={change}
        faultOf={faultOf}
        lines={limits?.maxConcurrentCalls}
        hasOwnZones={draft.columns.timezone !== ""}
      />
      <PolicyAdds />
    </StepForm>
  );
}
