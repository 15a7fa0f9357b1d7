import { Fragment, type ReactNode } from "react";
import type { CallRecord } from "../../../../contract/call.ts";
import { isOver, type Message } from "../../records/call.ts";
import { Json, Muted, Row, UserText } from "../../records/records.tsx";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Badge, Panel } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { playFrom, Recording } from "./recording.tsx";
import { TEXTS } from "./texts.ts";
import styles from "./transcript.module.css";

type Names = (assistantId: string) => string;

/** Brings a message into view; the focus marks it. */
export function showMessage(index: number): void {
  const shown = document.querySelector<HTMLElement>(`[data-message="${index}"]`);
  shown?.scrollIntoView({ block: "center" });
  shown?.focus({ preventScroll: true });
}

/** What was said on the call. */
export function Transcript({ call, names }: { readonly call: CallRecord; readonly names: Names }) {
  const say = useTexts(TEXTS);
  const none = call.erased ? "erased" : isOver(call) ? "talk.none" : "talk.later";
  return (
    <Panel title={say("talk")}>
      {isOver(call) ? <Recording call={call} /> : null}
      {call.messages.length === 0 ? <Muted>{say(none)}</Muted> : null}
      <Talk
        messages={call.messages}
        names={names}
        isRecorded={call.recordingStatus === "available"}
        optOutIndex={call.optedOut?.messageIndex ?? null}
      />
    </Panel>
  );
}

type TalkProps = {
  readonly messages: readonly Message[];
  readonly names: Names;
  readonly isRecorded?: boolean;
  /** The message by which the customer asked never to be called again; null: none. */
  readonly optOutIndex?: number | null;
  /** What stands under a message. */
  readonly noted?: (index: number) => ReactNode;
};

/**
 * The conversation in order: bubbles by speaker, tools as cards, a line where another assistant took over.
 */
export function Talk({ messages, names, isRecorded = false, optOutIndex = null, noted }: TalkProps) {
  const say = useTexts(TEXTS);
  return (
    <ol className={styles.talk} data-testid="transcript">
      {messages.map((message, place) => {
        const from = speakerBefore(messages, place);
        const isHandoff = message.role === "assistant" && from !== null && from !== message.assistantId;
        const shared = { message, isOptOut: optOutIndex === message.index, note: noted?.(message.index) };
        return (
          <Fragment key={message.index}>
            {isHandoff && message.assistantId !== null ? (
              <li className={styles.divider} data-handoff={message.assistantId} data-user-text="" dir="auto">
                {say("handoff", { name: names(message.assistantId) })}
              </li>
            ) : null}
            {message.role === "tool" ? (
              <Tool {...shared} />
            ) : (
              <Bubble {...shared} names={names} isRecorded={isRecorded} />
            )}
          </Fragment>
        );
      })}
    </ol>
  );
}

/** The assistant that spoke last; null: none. */
function speakerBefore(messages: readonly Message[], place: number): string | null {
  return messages.slice(0, place).findLast(({ role }) => role === "assistant")?.assistantId ?? null;
}

/** `isOptOut`: by it the customer asked never to be called again. */
type MessageProps = { readonly message: Message; readonly isOptOut: boolean; readonly note: ReactNode };
type BubbleProps = MessageProps & { readonly names: Names; readonly isRecorded: boolean };

function Bubble({ message, names, isRecorded, isOptOut, note }: BubbleProps) {
  const say = useTexts(TEXTS);
  const { seconds } = useFormat();
  const { role, assistantId, content, offsetMs, interrupted, intended, timing } = message;
  const look = role === "assistant" ? styles.assistant : role === "system" ? styles.system : "";
  const speaker = role === "assistant" && assistantId !== null ? names(assistantId) : say(roleKey(role));
  return (
    <li className={`${styles.bubble} ${look}`} tabIndex={-1} data-role={role} data-message={message.index}>
      <span className={styles.who}>
        <span data-user-text="" dir="auto">
          {speaker}
        </span>
        {" · "}
        {isRecorded ? (
          <button
            type="button"
            className={styles.seek}
            data-testid="seek"
            title={say("seek")}
            onClick={() => playFrom(offsetMs)}
          >
            <Icon of="play" isSmall /> {seconds(offsetMs / 1000)}
          </button>
        ) : (
          seconds(offsetMs / 1000)
        )}
        {timing === undefined ? null : <Waited timing={timing} />}
      </span>
      {content === null ? <Muted>{say("erased")}</Muted> : <UserText>{content}</UserText>}
      {isOptOut ? <OptOutBadge /> : null}
      {interrupted === true ? (
        <span className={styles.cut} data-interrupted="true">
          {say("interrupted")} <UserText>{intended ?? say("erased")}</UserText>
        </span>
      ) : null}
      {note}
    </li>
  );
}

const roleKey = (role: Message["role"]) =>
  role === "customer" ? "role.customer" : role === "system" ? "role.system" : "role.assistant";

/** How long the customer waited for the answer. */
function Waited({ timing }: { readonly timing: NonNullable<Message["timing"]> }) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const { firstTokenMillis, firstAudioMillis } = timing;
  const parts = [
    firstTokenMillis === null ? null : say("waited", { token: number(firstTokenMillis) }),
    firstAudioMillis === null ? null : say("sounded", { audio: number(firstAudioMillis) }),
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : <span data-timing="">{` · ${parts.join(", ")}`}</span>;
}

function OptOutBadge() {
  const say = useTexts(TEXTS);
  return (
    <span data-testid="opt-out">
      <Badge tone="bad">{say("opted-out")}</Badge>
    </span>
  );
}

function Tool({ message, isOptOut, note }: MessageProps) {
  const say = useTexts(TEXTS);
  const isError = message.isError === true;
  return (
    <li className={styles.tool} tabIndex={-1} data-role="tool" data-message={message.index}>
      <details>
        <summary>
          <span style={{ display: "inline-flex" }}>
            <Row>
              <span data-user-text="">{say("tool", { name: message.toolName ?? "" })}</span>
              <Badge tone={isError ? "bad" : "good"}>{say(isError ? "tool.failed" : "tool.done")}</Badge>
              {isOptOut ? <OptOutBadge /> : null}
            </Row>
          </span>
        </summary>
        <Muted>{say("tool.given")}</Muted>
        <Json value={message.arguments ?? null} />
        <Muted>{say("tool.shown")}</Muted>
        <Json value={message.result ?? message.content} />
      </details>
      {note}
    </li>
  );
}
