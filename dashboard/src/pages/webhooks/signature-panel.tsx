import { useEffect, useState } from "react";
import type { WebhookTestRecord } from "../../../../contract/webhook.ts";
import { useTexts } from "../../texts/language.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Badge } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { en } from "./en.ts";
import { tr } from "./tr.ts";
import { signatureOf } from "./verify-request.ts";

const TEXTS = { en, tr };

type SignaturePanelProps = { readonly sent: WebhookTestRecord; readonly secret: string | null };

/** timestamp + "." + body → HMAC → header, computed again beside what was sent. */
export function SignaturePanel({ sent, secret }: SignaturePanelProps) {
  const say = useTexts(TEXTS);
  const [computed, setComputed] = useState<string | null>(null);
  const { headers, body } = sent.request;
  const timestamp = headerOf(headers, "X-Service-Timestamp");
  const signature = headerOf(headers, "X-Service-Signature");
  const next = headerOf(headers, "X-Service-Signature-Next");
  useEffect(() => {
    setComputed(null);
    if (secret === null || !window.isSecureContext) return;
    let isOver = false;
    signatureOf(secret, timestamp, new TextEncoder().encode(body)).then((made) => {
      if (!isOver) setComputed(made);
    });
    return () => {
      isOver = true;
    };
  }, [secret, timestamp, body]);
  const isVerified = computed !== null && (computed === signature || computed === next);
  return (
    <section
      className={`${layout.stack} ${layout.wide}`}
      data-testid="signature"
      data-verified={String(isVerified)}
    >
      <h3>{say("signature.title")}</h3>
      <Shown label={say("signature.timestamp")} text={timestamp} />
      <Shown label={say("signature.signed")} text={`${timestamp}.${body}`} />
      <Shown label={say("signature.computed")} text={computed ?? "…"} />
      <Shown label={say("signature.header")} text={signature} />
      {next === "" ? null : <Shown label={say("signature.next")} text={next} />}
      {window.isSecureContext ? null : <p role="alert">{say("paste.insecure")}</p>}
      {computed === null ? null : (
        <div>
          <Badge tone={isVerified ? "good" : "bad"}>
            {say(isVerified ? "signature.verified" : "signature.refused")}
          </Badge>
        </div>
      )}
    </section>
  );
}

function Shown({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div>
      <div className={layout.small}>{label}</div>
      <CodeBlock label={label}>{text}</CodeBlock>
    </div>
  );
}

function headerOf(headers: WebhookTestRecord["request"]["headers"], name: string): string {
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name.toLowerCase());
  return found?.[1] ?? "";
}
