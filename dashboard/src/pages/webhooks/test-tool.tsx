import { useState } from "react";
import type { WebhookTestRecord } from "../../../../contract/webhook.ts";
import { ALL_KINDS, type WebhookEventKind } from "../../../../domain/webhook/kinds.ts";
import { post } from "../../api/request.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Badge, Button, Choice, Panel } from "../../ui/controls.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import layout from "../../ui/layout.module.css";
import { en } from "./en.ts";
import { SignaturePanel } from "./signature-panel.tsx";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };

export function TestTool({ secret }: { readonly secret: string | null }) {
  const say = useTexts(TEXTS);
  const [event, setEvent] = useState<WebhookEventKind>("call.ended");
  const [sent, setSent] = useState<WebhookTestRecord | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    setFault(null);
    try {
      setSent(await post("/api/v1/webhook/test", { body: { event } }));
    } catch (error) {
      setFault(error);
    }
    setBusy(false);
  };
  return (
    <Panel title={say("test.title")}>
      <div className={`${layout.stack} ${layout.wide}`}>
        <p className={layout.small}>{say("test.about")}</p>
        <div className={layout.row}>
          <Choice
            label={say("test.event")}
            name="event"
            value={event}
            onChange={({ target }) => setEvent(ALL_KINDS.find((kind) => kind === target.value) ?? event)}
          >
            {ALL_KINDS.map((kind) => (
              <option key={kind}>{kind}</option>
            ))}
          </Choice>
          <Button look="strong" data-testid="send-test" disabled={busy} onClick={send}>
            {say(busy ? "test.sending" : "test.send")}
          </Button>
        </div>
        {fault === null ? null : (
          <p role="alert">
            <ErrorText error={fault} />
          </p>
        )}
        {sent === null ? null : (
          <>
            <Exchange sent={sent} />
            <SignaturePanel sent={sent} secret={secret} />
          </>
        )}
      </div>
    </Panel>
  );
}

function Exchange({ sent }: { readonly sent: WebhookTestRecord }) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const { status, detail, request, response } = sent;
  const ms = number(Math.round(sent.ms));
  const isGood = status !== null && status >= 200 && status < 300;
  return (
    <>
      <p role="status">
        <Badge tone={isGood ? "good" : "bad"} data-testid="test-status" data-value={String(status)}>
          {status === null
            ? say("test.unanswered", { ms, detail: detail ?? "" })
            : say("test.answered", { ms, status })}
        </Badge>
      </p>
      <div className={layout.columns}>
        <section className={`${layout.stack} ${layout.wide}`}>
          <h3>{say("test.request")}</h3>
          <CodeBlock label={say("test.request")} data-testid="test-request">
            {asText(request)}
          </CodeBlock>
        </section>
        <section className={`${layout.stack} ${layout.wide}`}>
          <h3>{say("test.response")}</h3>
          <CodeBlock label={say("test.response")} data-testid="test-response" isForeign={true}>
            {response === null || response === "" ? say("test.empty") : response}
          </CodeBlock>
        </section>
      </div>
    </>
  );
}

/** In the format that the box below checks. */
function asText({ headers, body }: WebhookTestRecord["request"]): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${lines.join("\n")}\n\n${body}`;
}
