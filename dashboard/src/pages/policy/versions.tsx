import { useSentences } from "../../policy/policy-said.tsx";
import { changesBetween } from "../../policy/sentences.ts";
import { More, Muted, Table, UserText } from "../../records/records.tsx";
import { useList } from "../../records/use-list.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Panel } from "../../ui/controls.tsx";
import { Failure } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { Changes } from "./changes.tsx";
import { TEXTS, VERSIONS } from "./texts.ts";

/** Who changed the policy, when, and what it says otherwise since then; the newest first. */
export function Versions() {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const sentences = useSentences();
  const list = useList(VERSIONS, { query: { limit: 20 } });
  const { rows } = list;
  const heads = [say("version"), say("by"), say("when"), say("what")];
  return (
    <Panel title={say("versions")}>
      {list.error === null ? null : <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 ? <p>{say("versions.none")}</p> : null}
      {rows.length === 0 ? null : (
        <Table label={say("versions")} heads={heads}>
          {rows.map(({ version, policy, changedAt, changedBy }, place) => {
            const before = rows[place + 1];
            return (
              <tr key={version} data-version={version}>
                <td>{number(version)}</td>
                <td>
                  <UserText>{changedBy.name ?? changedBy.id}</UserText>
                </td>
                <td>
                  <Time at={changedAt} />
                </td>
                <td>
                  {before === undefined && version > 1 ? (
                    <Muted>–</Muted>
                  ) : (
                    <Changes of={changesBetween(sentences(before?.policy ?? null), sentences(policy))} />
                  )}
                </td>
              </tr>
            );
          })}
        </Table>
      )}
      <More list={list} />
    </Panel>
  );
}
