import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { AssistantRecord } from "../../../../contract/assistant.ts";
import type { PhoneNumberRecord } from "../../../../contract/phone-number.ts";
import { en as lineEn } from "../../calling/en.ts";
import { LineFields } from "../../calling/line-fields.tsx";
import { tr as lineTr } from "../../calling/tr.ts";
import { useTexts } from "../../texts/language.tsx";
import layout from "../../ui/layout.module.css";
import { Failure } from "../../ui/page.tsx";
import { en } from "./en.ts";
import { StepForm } from "./step-form.tsx";
import type { StepProps } from "./steps.ts";
import { TextPreview } from "./text-preview.tsx";
import { tr } from "./tr.ts";
import styles from "./wizard.module.css";

const TEXTS = { en, tr };
const LINE_TEXTS = { en: lineEn, tr: lineTr };
const KEY_OF = { name: "name", assistantId: "assistant", phoneNumberId: "number" } as const;
const REQUIRED = ["name", "assistantId", "phoneNumberId"] as const;

type TextsStepProps = StepProps & {
  readonly assistants: UseQueryResult<readonly AssistantRecord[]>;
  readonly numbers: UseQueryResult<readonly PhoneNumberRecord[]>;
};

export function TextsStep({ draft, change, next, back, faultOf, assistants, numbers }: TextsStepProps) {
  const say = useTexts(TEXTS);
  const lineSay = useTexts(LINE_TEXTS);
  const [isAsked, setAsked] = useState(false);
  const missing = (name: string) => {
    const required = REQUIRED.find((each) => each === name);
    return isAsked && required !== undefined && draft[required].trim() === ""
      ? lineSay(`line.${KEY_OF[required]}_required`)
      : undefined;
  };
  const go = () => {
    setAsked(true);
    if (REQUIRED.every((name) => draft[name].trim() !== "")) next();
  };
  const published = assistants.data?.filter(({ publishedVersion }) => publishedVersion !== null) ?? [];
  const active = numbers.data?.filter((each) => each.active) ?? [];
  const keys = (draft.read?.header ?? []).filter((key) => key !== draft.columns.phone);
  return (
    <StepForm
      title={say("step.texts")}
      onNext={go}
      onBack={back}
      isBusy={assistants.isPending || numbers.isPending}
    >
      {[assistants, numbers].map((query, place) =>
        query.isError ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: there are two, always in this order
          <Failure key={place} error={query.error} onRetry={() => void query.refetch()} />
        ) : null,
      )}
      {assistants.data !== undefined && published.length === 0 ? (
        <p role="alert" className={styles.fault}>
          {say("texts.no_assistant")}
        </p>
      ) : null}
      {numbers.data !== undefined && active.length === 0 ? (
        <p role="alert" className={styles.fault}>
          {say("texts.no_number")}
        </p>
      ) : null}
      <LineFields
        draft={draft}
        change={change}
        faultOf={(name) => faultOf(name) ?? missing(name)}
        assistants={published}
        numbers={active}
      />
      <p className={layout.small}>
        {say("texts.keys")}:{" "}
        <span data-user-text="" dir="auto">
          {keys.map((key) => `{{${key === draft.columns.name ? "name" : key}}}`).join(" ")}
        </span>
      </p>
      <TextPreview draft={draft} />
    </StepForm>
  );
}
