import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { AssistantRecord } from "../../../../contract/assistant.ts";
import { PHONE_LINE } from "../../../../domain/call/carrier-identity.ts";
import { ask } from "../../api/request.ts";
import { CallHere } from "../../phone/call-here.tsx";
import { type AssistantDraft, differences } from "../../records/assistant.ts";
import { Fault, Muted } from "../../records/records.tsx";
import { ScriptedModel } from "../../records/scripted-model.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useCommand } from "../../records/use-command.ts";
import { ALL, useList } from "../../records/use-list.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Panel } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { TEXTS } from "../assistants/texts.ts";

type TryItProps = { readonly assistant: AssistantRecord; readonly live: AssistantDraft | null };

/** A call from the assistant to this page, and what is said in it, next to what it was told. */
export function TryIt({ assistant, live }: TryItProps) {
  const say = useTexts(TEXTS);
  const allowed = useAllowed();
  const mayCall = allowed("calls:write") && allowed("calls:read") && allowed("phone-numbers:*");
  const numbers = useList("/api/v1/phone-numbers", { query: ALL, enabled: mayCall });
  const [callId, setCallId] = useState<string | null>(null);
  const { busy, fault, run } = useCommand("/api/v1/calls");
  const named = (live ?? assistant).modelConnectionId === null ? <ScriptedModel /> : null;
  if (!mayCall || !numbers.isSuccess) return named;
  const phoneNumberId = numbers.rows.find(({ active }) => active)?.id;
  const call = async (from: string) => {
    const body = { to: PHONE_LINE, assistantId: assistant.id, phoneNumberId: from };
    const started = await run(() => ask("POST", "/api/v1/calls/outbound", { body }));
    if (started !== undefined) setCallId(started.body.callId);
  };
  const begin =
    live === null || phoneNumberId === undefined ? null : (
      <div>
        <Button look="strong" data-testid="try-call" disabled={busy} onClick={() => void call(phoneNumberId)}>
          {say(callId === null ? "try.call" : "try.again")}
        </Button>
      </div>
    );
  return (
    <Panel title={say("try")}>
      <div className={`${layout.stack} ${layout.wide}`} data-testid="try-it">
        <Muted>{say(live === null ? "try.draft" : "try.told")}</Muted>
        {live === null ? null : <Heard assistant={assistant} live={live} />}
        {phoneNumberId === undefined ? <Link to="/phone-numbers">{say("try.number")}</Link> : null}
        {callId === null ? begin : null}
        <Fault error={fault} />
        <CallHere callId={callId} testid="tried-call" assistantName={assistant.name}>
          {begin}
        </CallHere>
        {named}
      </div>
    </Panel>
  );
}

/** Who calls is the published version, also while the form shows a later draft. */
function Heard({ assistant, live }: { readonly assistant: AssistantRecord; readonly live: AssistantDraft }) {
  const say = useTexts(TEXTS);
  const count = differences(assistant, live).length;
  if (count === 0 || assistant.publishedVersion === null) return null;
  return <p>{say("try.version", { version: assistant.publishedVersion, count })}</p>;
}
