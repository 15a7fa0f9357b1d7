import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { AssistantRecord } from "../../../../contract/assistant.ts";
import type { PhoneNumberRecord } from "../../../../contract/phone-number.ts";
import { useTexts } from "../../texts/language.tsx";
import { Choice, Field, TextField } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { Failure } from "../../ui/page.tsx";
import { en } from "./en.ts";
import { StepForm } from "./step-form.tsx";
import type { StepProps } from "./steps.ts";
import { TextPreview } from "./text-preview.tsx";
import { tr } from "./tr.ts";
import styles from "./wizard.module.css";

const TEXTS = { en, tr };

type TextsStepProps = StepProps & {
  readonly assistants: UseQueryResult<readonly AssistantRecord[]>;
  readonly numbers: UseQueryResult<readonly PhoneNumberRecord[]>;
};

export function TextsStep({ draft, change, next, back, faultOf, assistants, numbers }: TextsStepProps) {
  const say = useTexts(TEXTS);
  const [isAsked, setAsked] = useState(false);
  const missing = (name: "name" | "assistantId" | "phoneNumberId", text: string) =>
    faultOf(name) ?? (isAsked && draft[name].trim() === "" ? text : undefined);
  const go = () => {
    setAsked(true);
    if (draft.name.trim() !== "" && draft.assistantId !== "" && draft.phoneNumberId !== "") next();
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
      <div className={layout.columns}>
        <Field
          label={say("texts.name")}
          name="name"
          dir="auto"
          maxLength={255}
          value={draft.name}
          onChange={({ target }) => change({ name: target.value })}
          fault={missing("name", say("texts.name_required"))}
        />
        <Choice
          label={say("texts.assistant")}
          name="assistantId"
          value={draft.assistantId}
          onChange={({ target }) => change({ assistantId: target.value })}
          fault={missing("assistantId", say("texts.assistant_required"))}
        >
          <option value="">{say("texts.choose")}</option>
          {published.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
        <Choice
          label={say("texts.number")}
          name="phoneNumberId"
          value={draft.phoneNumberId}
          onChange={({ target }) => change({ phoneNumberId: target.value })}
          fault={missing("phoneNumberId", say("texts.number_required"))}
        >
          <option value="">{say("texts.choose")}</option>
          {active.map(({ id, phoneNumber, label }) => (
            <option key={id} value={id}>
              {label === null ? phoneNumber : `${phoneNumber} · ${label}`}
            </option>
          ))}
        </Choice>
      </div>
      <TextField
        label={say("texts.greeting")}
        hint={say("texts.greeting_hint")}
        name="greetingMessage"
        rows={3}
        dir="auto"
        value={draft.greetingMessage}
        fault={faultOf("greetingMessage")}
        onChange={({ target }) => change({ greetingMessage: target.value })}
      />
      <TextField
        label={say("texts.instructions")}
        hint={say("texts.instructions_hint")}
        name="specialInstructions"
        rows={3}
        dir="auto"
        value={draft.specialInstructions}
        fault={faultOf("specialInstructions")}
        onChange={({ target }) => change({ specialInstructions: target.value })}
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
