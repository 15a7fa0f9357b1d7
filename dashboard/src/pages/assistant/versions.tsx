import type { AssistantVersionRecord } from "../../../../contract/assistant.ts";
import { Row, Table } from "../../records/records.tsx";
import { useTexts } from "../../texts/language.tsx";
import { Badge } from "../../ui/controls.tsx";
import { Time } from "../../ui/time.tsx";
import { TEXTS } from "../assistants/texts.ts";

/** All published versions. */
export function Versions({
  versions,
  live,
}: {
  readonly versions: readonly AssistantVersionRecord[];
  readonly live: number | null;
}) {
  const say = useTexts(TEXTS);
  if (versions.length === 0) return null;
  return (
    <>
      <h2>{say("history")}</h2>
      <Table label={say("history")} heads={[say("version"), say("name"), say("at")]}>
        {versions.map(({ version, name, publishedAt }) => (
          <tr key={version} data-version={version}>
            <td>
              <Row>
                {version}
                {version === live ? <Badge tone="good">{say("live")}</Badge> : null}
              </Row>
            </td>
            <td data-user-text="" dir="auto">
              {name}
            </td>
            <td>
              <Time at={publishedAt} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
