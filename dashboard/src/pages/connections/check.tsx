import { useState } from "react";
import type { ConnectionRecord } from "../../../../contract/connection.ts";
import type { ConnectionCheckRecord } from "../../../../contract/connection-check.ts";
import { post } from "../../api/request.ts";
import { CONNECTIONS } from "../../records/connection.tsx";
import { Fault, Row, UserText } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Button, Panel } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { type ConnectionsKey, en } from "./en.ts";
import { TEXTS } from "./kinds.ts";

const isKnown = (key: string): key is ConnectionsKey => key in en;

/** Checks the other side, and shows each finding. */
export function CheckPanel({
  connection: { id, name },
  onClose,
}: {
  readonly connection: ConnectionRecord;
  readonly onClose: () => void;
}) {
  const say = useTexts(TEXTS);
  const sayFrame = useTexts();
  const { number } = useFormat();
  const [checked, setChecked] = useState<ConnectionCheckRecord | null>(null);
  const { busy, fault, run } = useCommand();
  const check = async () =>
    setChecked((await run(() => post(`${CONNECTIONS}/:id/check`, { params: { id } }))) ?? null);
  return (
    <Panel
      title={<UserText>{name}</UserText>}
      actions={
        <Row>
          <Button look="strong" data-testid="check" disabled={busy} onClick={check}>
            {say("check")}
          </Button>
          <Button aria-label={sayFrame("dialog.close")} onClick={onClose}>
            <Icon of="close" />
          </Button>
        </Row>
      }
    >
      <div style={{ display: "grid", gap: 10 }} aria-live="polite" data-testid="checked">
        {busy ? <p>{say("checking")}</p> : null}
        <Fault error={fault} />
        {checked === null || busy ? null : (
          <>
            <p data-ok={checked.ok}>
              <Badge tone={checked.ok ? "good" : "bad"}>
                {say(checked.ok ? "check.ok" : "check.bad", { millis: number(Math.round(checked.millis)) })}
              </Badge>
            </p>
            <ul style={{ display: "grid", gap: 6, margin: 0, padding: 0, listStyle: "none" }}>
              {checked.findings.map((finding) => {
                const key = `finding.${finding.name}`;
                return (
                  <li key={finding.name} data-finding={finding.name} data-ok={finding.ok}>
                    <Row>
                      <Badge tone={finding.ok ? "good" : "bad"}>
                        <Icon of={finding.ok ? "good" : "close"} isSmall />
                      </Badge>
                      <strong>{isKnown(key) ? say(key) : finding.name}</strong>
                      <UserText>{finding.detail}</UserText>
                    </Row>
                  </li>
                );
              })}
            </ul>
          </>
        )}
      </div>
    </Panel>
  );
}
