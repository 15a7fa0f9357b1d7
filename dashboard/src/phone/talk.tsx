import { type FormEvent, useEffect, useRef, useState } from "react";
import { Row } from "../records/records.tsx";
import { useTexts } from "../texts/language.tsx";
import { Button, Choice, Field } from "../ui/controls.tsx";
import { Lines } from "./lines.tsx";
import styles from "./phone.module.css";
import { interrupt, press, say as sayIt } from "./phone-line.ts";
import { heardOf, type Talk as TalkState } from "./phone-state.ts";
import { TEXTS } from "./texts.ts";
import { useVoice } from "./use-voice.ts";
import { canTalk } from "./voice.ts";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "0", "#"];

/** A call in progress: the conversation, and the controls. */
export function Talk({ talk, isConnected }: { readonly talk: TalkState; readonly isConnected: boolean }) {
  const say = useTexts(TEXTS);
  const [voice, setVoice] = useState(false);
  useVoice(voice, talk.lines);
  return (
    <>
      {isConnected ? null : <p role="alert">{say("again")}</p>}
      <Lines lines={talk.lines} name={talk.call.assistantName} />
      <Typing isSilent={heardOf(talk) === null} />
      <VoiceChoice voice={voice} choose={setVoice} />
      <details>
        <summary>{say("digits")}</summary>
        <div className={styles.keys}>
          {DIGITS.map((digit) => (
            <Button
              key={digit}
              data-digit={digit}
              aria-label={say("digit", { digit })}
              onClick={() => press(digit)}
            >
              {digit}
            </Button>
          ))}
        </div>
      </details>
    </>
  );
}

function Typing({ isSilent }: { readonly isSilent: boolean }) {
  const say = useTexts(TEXTS);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("said") ?? "").trim();
    if (text !== "") sayIt(text);
    event.currentTarget.reset();
  };
  return (
    <form ref={form} onSubmit={submit} className={styles.typing}>
      <Field label={say("say.label")} name="said" autoComplete="off" maxLength={4_096} dir="auto" />
      <Row>
        <Button type="submit" look="strong" data-testid="say">
          {say("say.send")}
        </Button>
        <Button data-testid="interrupt" disabled={isSilent} onClick={interrupt}>
          {say("interrupt")}
        </Button>
      </Row>
    </form>
  );
}

function VoiceChoice({
  voice,
  choose,
}: {
  readonly voice: boolean;
  readonly choose: (voice: boolean) => void;
}) {
  const say = useTexts(TEXTS);
  if (!canTalk()) return <p className={styles.who}>{say("voice.none")}</p>;
  return (
    <Choice
      label={say("voice")}
      hint={say("voice.told")}
      name="voice"
      value={voice ? "speak" : "type"}
      onChange={({ target }) => choose(target.value === "speak")}
    >
      <option value="type">{say("voice.type")}</option>
      <option value="speak">{say("voice.speak")}</option>
    </Choice>
  );
}
