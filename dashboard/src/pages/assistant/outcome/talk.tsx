import { useEffect, useRef } from "react";
import type { CallRecord } from "../../../../../contract/call.ts";
import { Json, Muted, Row, UserText } from "../../../records/records.tsx";
import { useTexts } from "../../../texts/language.tsx";
import { Badge } from "../../../ui/controls.tsx";
import { en } from "./en.ts";
import styles from "./outcome.module.css";
import { tr } from "./tr.ts";

type TalkProps = {
  readonly call: CallRecord;
  /** Numbers of messages by the name of the field that they prove. */
  readonly evidence: Readonly<Record<string, readonly number[]>>;
  /** The field whose messages are looked at: the first gets the focus. */
  readonly shown: string | null;
};

/** What was said, each message with the fields that it proves. */
export function Talk({ call, evidence, shown }: TalkProps) {
  const say = useTexts({ en, tr });
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (shown === null) return;
    const first = list.current?.querySelector<HTMLElement>('[data-proves="true"]');
    first?.scrollIntoView({ block: "nearest" });
    first?.focus({ preventScroll: true });
  }, [shown]);
  return (
    <section>
      <h3>{say("talk")}</h3>
      {call.messages.length === 0 ? <Muted>{say(call.erased ? "talk.erased" : "talk.none")}</Muted> : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <ol ref={list} className={styles.talk} tabIndex={0} aria-label={say("talk")} data-testid="past-call">
        {call.messages.map(({ index, role, content, toolName, result }) => (
          <li
            key={index}
            tabIndex={-1}
            data-message={index}
            data-role={role}
            data-proves={shown !== null && (evidence[shown] ?? []).includes(index)}
          >
            <span className={styles.who}>
              {say(`role.${role}`)}
              {toolName === undefined ? null : <UserText>{` ${toolName}`}</UserText>}
            </span>
            {role === "tool" ? (
              <Json value={result ?? content} />
            ) : content === null ? (
              <Muted>{say("talk.erased")}</Muted>
            ) : (
              <UserText>{content}</UserText>
            )}
            <Row>
              {Object.entries(evidence)
                .filter(([, indexes]) => indexes.includes(index))
                .map(([name]) => (
                  <Badge key={name} tone={name === shown ? "accent" : "quiet"} data-proof={name}>
                    <span data-user-text="">{say("proves", { name })}</span>
                  </Badge>
                ))}
            </Row>
          </li>
        ))}
      </ol>
    </section>
  );
}
