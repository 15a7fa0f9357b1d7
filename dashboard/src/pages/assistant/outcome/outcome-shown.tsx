import type { OutcomeSettings } from "../../../../../domain/outcome/settings.ts";
import { UserText } from "../../../records/records.tsx";
import { useTexts } from "../../../texts/language.tsx";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

/** What calls are asked for, in lines: a field each, then the summary and the success. */
export function OutcomeShown({ of }: { readonly of: OutcomeSettings | null | undefined }) {
  const say = useTexts({ en, tr });
  if (of === null || of === undefined) return "–";
  const { fields, summary, success } = of;
  const answer = (value: boolean | string) => (typeof value === "string" ? value : say(value ? "yes" : "no"));
  const lines = fields.map(({ name, type, description, values }) =>
    [name, say(`type.${type}`), description, ...(values === undefined ? [] : [values.join(", ")])].join(
      " · ",
    ),
  );
  const told = [
    ...lines,
    ...(summary ? [say("summary")] : []),
    ...(success === null
      ? []
      : [`${say("succeeded")}: ${success.field} = ${success.in.map(answer).join(", ")}`]),
  ];
  return <UserText>{told.join("\n")}</UserText>;
}
