import type { AssistantRecord } from "../../../../contract/assistant.ts";
import { type AssistantDraft, differences } from "../../records/assistant.ts";
import { Muted, Table } from "../../records/records.tsx";
import { useTexts } from "../../texts/language.tsx";
import { Panel } from "../../ui/controls.tsx";
import { LiveBadge } from "../assistants/live-badge.tsx";
import { TEXTS } from "../assistants/texts.ts";
import { Value } from "./value.tsx";

type Shown = { readonly assistant: AssistantRecord; readonly live: AssistantDraft | null };

/** The published version, and how the draft differs from it. */
export function Live({ assistant, live }: Shown) {
  const say = useTexts(TEXTS);
  const count = live === null ? 0 : differences(assistant, live).length;
  return (
    <Panel title={say("live")} actions={<LiveBadge version={assistant.publishedVersion} />}>
      <div style={{ display: "grid", gap: 12 }}>
        {live === null ? null : (
          <p data-count="differences" data-value={count}>
            <Muted>{count === 0 ? say("same") : say("changed", { count })}</Muted>
          </p>
        )}
        {count === 0 ? null : <Differences assistant={assistant} live={live} />}
      </div>
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
            <Value field={field} value={live?.[field]} />
          </td>
          <td>
            <Value field={field} value={assistant[field]} />
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
