import type { AssistantRecord } from "../../../../contract/assistant.ts";
import { type AssistantDraft, differences } from "../../records/assistant.ts";
import { Table } from "../../records/records.tsx";
import { useTexts } from "../../texts/language.tsx";
import { Panel } from "../../ui/controls.tsx";
import { TEXTS } from "../assistants/texts.ts";
import { OutcomeShown } from "./outcome/outcome-shown.tsx";
import { Value } from "./value.tsx";

type Shown = { readonly assistant: AssistantRecord; readonly live: AssistantDraft | null };

/** How the draft differs from the published version, as long as it does. */
export function Live({ assistant, live }: Shown) {
  const say = useTexts(TEXTS);
  if (live === null || differences(assistant, live).length === 0) return null;
  return (
    <Panel title={say("differences")}>
      <Differences assistant={assistant} live={live} />
    </Panel>
  );
}

export function Differences({ assistant, live }: Shown) {
  const say = useTexts(TEXTS);
  return (
    <Table label={say("changed", { count: differences(assistant, live).length })} heads={headsOf(say)}>
      {differences(assistant, live).map((field) => (
        <tr key={field} data-difference={field}>
          <td>{say(`field.${field}`)}</td>
          <td>
            {field === "outcome" ? (
              <OutcomeShown of={live?.outcome} />
            ) : (
              <Value field={field} value={live?.[field]} />
            )}
          </td>
          <td>
            {field === "outcome" ? (
              <OutcomeShown of={assistant.outcome} />
            ) : (
              <Value field={field} value={assistant[field]} />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

const headsOf = (say: (key: "field" | "was" | "becomes") => string) => [
  say("field"),
  say("was"),
  say("becomes"),
];
