import type { FormEvent, ReactNode } from "react";
import { useTexts } from "../../texts/language.tsx";
import { Button, Panel } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };

type StepFormProps = {
  readonly title: string;
  readonly children: ReactNode;
  readonly onNext: () => void;
  readonly onBack?: () => void;
  readonly isBusy?: boolean;
};

/** One step: its controls, with buttons for next (also by Enter) and back. */
export function StepForm({ title, children, onNext, onBack, isBusy = false }: StepFormProps) {
  const say = useTexts(TEXTS);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onNext();
  };
  return (
    <Panel title={title}>
      <form noValidate onSubmit={submit} className={`${layout.stack} ${layout.wide}`}>
        {children}
        <div className={layout.row}>
          {onBack === undefined ? null : (
            <Button data-testid="back" onClick={onBack}>
              {say("back")}
            </Button>
          )}
          <Button type="submit" look="strong" data-testid="next" disabled={isBusy}>
            {say("next")}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
