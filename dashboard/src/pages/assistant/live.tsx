import type { AssistantRecord } from "../../../../contract/assistant.ts";
import { type AssistantDraft, differences } from "../../records/assistant.ts";
import { Table } from "../../records/records.tsx";
import { useTexts } from "../../texts/language.tsx";
import { Panel } from "../../ui/controls.tsx";
import { TEXTS } from "../assistants/texts.ts";
import { CallbackShown } from "./callback-control.tsx";
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
            <Of draft={live} field={field} />
          </td>
          <td>
            <Of draft={assistant} field={field} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

type OfProps = { readonly draft: AssistantDraft | null; readonly field: keyof AssistantDraft };

function Of({ draft, field }: OfProps) {
  if (field === "outcome") return <OutcomeShown of={draft?.outcome} />;
  if (field === "callback") return <CallbackShown of={draft?.callback} />;
  return <Value field={field} value={draft?.[field]} />;
}

const headsOf = (say: (key: "field" | "was" | "becomes") => string) => [
  say("field"),
  say("was"),
  say("becomes"),
];
