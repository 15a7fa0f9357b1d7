import { useState } from "react";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Button, Panel, TextField } from "../../ui/controls.tsx";
import layout from "../../ui/layout.module.css";
import { en } from "./en.ts";
import { findingText } from "./finding-text.ts";
import { tr } from "./tr.ts";
import { type Judgement, judgeRequest, parseRequest } from "./verify-request.ts";

const TEXTS = { en, tr };

/** Checks a request in the browser, as `npm run webhook:verify` does on a machine. */
export function PastedRequest({ secret }: { readonly secret: string | null }) {
  const say = useTexts(TEXTS);
  const [text, setText] = useState("");
  const [judged, setJudged] = useState<Judgement | "unreadable" | null>(null);
  const check = async () => {
    const request = parseRequest(text);
    if (request === null) setJudged("unreadable");
    else if (secret !== null) setJudged(await judgeRequest(secret, request, Date.now()));
  };
  const change = (next: string) => {
    setText(next);
    setJudged(null);
  };
  const isSecure = window.isSecureContext;
  return (
    <Panel title={say("paste.title")}>
      <div className={`${layout.stack} ${layout.wide}`}>
        <TextField
          label={say("paste.field")}
          name="pastedRequest"
          hint={say("paste.about")}
          rows={8}
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={({ target }) => change(target.value)}
        />
        <div>
          <Button data-testid="check-request" disabled={!isSecure || secret === null} onClick={check}>
            {say("paste.check")}
          </Button>
        </div>
        {isSecure ? null : <p role="alert">{say("paste.insecure")}</p>}
        {judged === null ? null : <Verdict judged={judged} />}
      </div>
    </Panel>
  );
}

function Verdict({ judged }: { readonly judged: Judgement | "unreadable" }) {
  const say = useTexts(TEXTS);
  const isValid = judged !== "unreadable" && judged.verdict === "valid";
  const findings =
    judged === "unreadable"
      ? [say("paste.unreadable")]
      : judged.findings.map((finding) => findingText(say, finding));
  return (
    <div
      role={isValid ? "status" : "alert"}
      data-testid="verdict"
      data-verified={String(isValid)}
      data-value={judged === "unreadable" ? judged : judged.verdict}
      className={layout.stack}
    >
      <Badge tone={isValid ? "good" : "bad"}>{say(isValid ? "paste.valid" : "paste.refused")}</Badge>
      {findings.map((each) => (
        <p key={each}>{each}</p>
      ))}
    </div>
  );
}
