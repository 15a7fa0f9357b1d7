import { useTexts } from "../../../texts/language.tsx";
import { Check, Chips, Choice } from "../../../ui/controls.tsx";
import { en } from "./en.ts";
import type { DraftProps } from "./field-rows.tsx";
import styles from "./outcome.module.css";
import { answersOf, maySucceed, withSuccess } from "./outcome-draft.ts";
import { tr } from "./tr.ts";

/** When a call is a success: by which field, and by which of its values. */
export function SuccessFields({ draft, change, refused: { byControl } }: DraftProps) {
  const say = useTexts({ en, tr });
  const { rows, success } = draft;
  const row = rows.find(({ id }) => id === success?.rowId);
  const chosen = success?.in ?? [];
  const choose = (answer: string, isOn: boolean) => {
    if (success === null) return;
    const others = chosen.filter((each) => each !== answer);
    change({ ...draft, success: { ...success, in: isOn ? [...others, answer] : others } });
  };
  const fault = byControl.get("outcome.success.in");
  return (
    <>
      <Choice
        label={say("success")}
        hint={say("success.hint")}
        name="outcome.success.field"
        fault={byControl.get("outcome.success.field")}
        value={row?.id ?? ""}
        onChange={({ target: { value } }) => change(withSuccess(draft, value === "" ? null : Number(value)))}
      >
        <option value="">{say("success.none")}</option>
        {rows.map((each, place) =>
          maySucceed(each) ? (
            <option key={each.id} value={each.id} data-user-text="">
              {each.name === "" ? say("field", { place: place + 1 }) : each.name}
            </option>
          ) : null,
        )}
      </Choice>
      {row === undefined ? null : (
        <div>
          <p>{say("success.in")}</p>
          <Chips label={say("success.in")}>
            {answersOf(row).map((answer) => (
              <Check
                key={answer}
                name="outcome.success.in"
                value={answer}
                checked={chosen.includes(answer)}
                onChange={({ target }) => choose(answer, target.checked)}
                label={
                  row.type === "boolean" ? (
                    say(answer === "true" ? "yes" : "no")
                  ) : (
                    <span data-user-text="" dir="auto">
                      {answer}
                    </span>
                  )
                }
              />
            ))}
          </Chips>
          {fault === undefined ? null : (
            <p role="alert" className={styles.fault}>
              {say("success.some")} <span lang="en">{fault}</span>
            </p>
          )}
        </div>
      )}
    </>
  );
}
