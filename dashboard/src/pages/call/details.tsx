import { Link } from "@tanstack/react-router";
import type { CallRecord } from "../../../../contract/call.ts";
import { CampaignLink } from "../../records/campaign-link.tsx";
import { Facts, Muted, UserText } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { ALL, useList } from "../../records/use-list.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Panel } from "../../ui/controls.tsx";
import { ShortId } from "../../ui/short-id.tsx";
import { Time } from "../../ui/time.tsx";
import { EndReason } from "../calls/words.tsx";
import { TEXTS } from "./texts.ts";
import styles from "./transcript.module.css";
import { showMessage } from "./transcript.tsx";

type Names = (assistantId: string) => string;

export function Details({ call, names }: { readonly call: CallRecord; readonly names: Names }) {
  const say = useTexts(TEXTS);
  const { number, seconds, credits } = useFormat();
  const seesAssistants = useAllowed()("assistants:*");
  const { assistantId, assistantVersion, endedBy, answeredBy, squadId, campaignId, error } = call;
  const assistant = say("version", { name: names(assistantId), version: assistantVersion });
  return (
    <Panel title={say("about")}>
      <Facts
        of={[
          [say("number"), <NumberLink key="number" number={call.to} />],
          [
            say("from"),
            <span key="from" dir="ltr">
              {call.from}
            </span>,
          ],
          [
            say("assistant"),
            seesAssistants ? (
              <Link key="assistant" to="/assistants/$id" params={{ id: assistantId }}>
                <UserText>{assistant}</UserText>
              </Link>
            ) : (
              <UserText key="assistant">{assistant}</UserText>
            ),
          ],
          [say("squad"), squadId === null ? null : <SquadLink key="squad" id={squadId} />],
          [say("campaign"), campaignId === null ? null : <CampaignLink key="campaign" id={campaignId} />],
          [say("attempt"), campaignId === null ? null : number(call.attempt)],
          [say("end"), call.endReason === null ? null : <EndReason key="end" endReason={call.endReason} />],
          [
            say("opted-out"),
            call.optedOut == null ? null : (
              <OptedOut key="opted-out" of={call.optedOut} messages={call.messages} />
            ),
          ],
          [
            say("callback"),
            call.callback == null || call.optedOut != null ? null : (
              <Callback key="callback" of={call.callback} />
            ),
          ],
          [say("ended-by"), endedBy === null ? null : say(`by.${endedBy}`)],
          [say("answered"), answeredBy === null ? null : say(`answered.${answeredBy}`)],
          [say("duration"), call.durationSeconds === null ? null : seconds(call.durationSeconds)],
          [say("cost"), call.cost === null ? null : credits(call.cost)],
          [say("error"), error === null ? null : <UserText key="error">{errorText(error)}</UserText>],
          [
            say("greeting"),
            call.erased ? (
              <Muted key="greeting">{say("erased")}</Muted>
            ) : (
              call.greetingMessage && <UserText key="greeting">{call.greetingMessage}</UserText>
            ),
          ],
          [
            say("instructions"),
            call.specialInstructions && <UserText key="instructions">{call.specialInstructions}</UserText>,
          ],
          [say("id"), <ShortId key="id" id={call.id} />],
        ]}
      />
    </Panel>
  );
}

/** Which way it was said, when, and the words; one press away from where they stand in the transcript. */
function OptedOut({
  of: { by, messageIndex, at },
  messages,
}: {
  readonly of: NonNullable<CallRecord["optedOut"]>;
  readonly messages: CallRecord["messages"];
}) {
  const say = useTexts(TEXTS);
  const message = messages.find(({ index }) => index === messageIndex);
  return (
    <>
      {say(`opted-out.${by}`)}
      {by === "words" && message?.content ? <UserText>{` “${message.content}”`}</UserText> : null}
      {" · "}
      <Time at={at} />
      {message === undefined ? null : (
        <button
          type="button"
          className={styles.shown}
          data-testid="show-opt-out"
          onClick={() => showMessage(message.index)}
        >
          {say("opted-out.show")}
        </button>
      )}
    </>
  );
}

/** On the clock of whoever was called; no campaign, no call by itself. An opt-out beats it. */
function Callback({
  of: { at, callbackAt, zone, note },
}: {
  readonly of: NonNullable<CallRecord["callback"]>;
}) {
  const say = useTexts(TEXTS);
  const { there, time } = useFormat();
  const asked = there(`${at}Z`, "UTC");
  const agreed = callbackAt === null ? asked : there(callbackAt, zone ?? "UTC");
  return (
    <span data-testid="callback">
      <time dateTime={callbackAt ?? at} {...(callbackAt === null ? {} : { title: time(callbackAt) })}>
        {agreed}
      </time>
      {zone === null ? null : ` (${zone})`}
      {agreed === asked ? null : ` · ${say("callback.asked", { at: asked })}`}
      {callbackAt === null ? ` · ${say("callback.noted")}` : null}
      {note === null ? null : (
        <>
          {" · "}
          <UserText>{note}</UserText>
        </>
      )}
    </span>
  );
}

function errorText({ code, message, carrierCode }: NonNullable<CallRecord["error"]>): string {
  return [code, carrierCode, message].filter((part) => part !== null).join(" · ");
}

function NumberLink({ number }: { readonly number: string }) {
  return (
    <Link to="/numbers/$number" params={{ number }} dir="ltr">
      {number}
    </Link>
  );
}

function SquadLink({ id }: { readonly id: string }) {
  const { rows } = useList("/api/v1/squads", { query: ALL, enabled: useAllowed()("squads:read") });
  return (
    <Link to="/squads/$id" params={{ id }} data-user-text="" dir="auto">
      {rows.find((squad) => squad.id === id)?.name ?? id}
    </Link>
  );
}

/** What happened when: of a call that is over nothing goes on. */
export function Times({ call: { statusHistory } }: { readonly call: CallRecord }) {
  const say = useTexts(TEXTS);
  return (
    <Panel title={say("times")}>
      <ol className={styles.times}>
        {statusHistory.map(({ status, at }) => (
          <li key={status} data-value={status}>
            {say(`at.${status}`)}
            <Time at={at} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** Figures about the conversation; nothing before it began. */
export function Figures({ call: { conversation } }: { readonly call: CallRecord }) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  if (conversation === null || conversation === undefined) return null;
  const { firstTokenMs, firstAudioMs, model, inputTokens, outputTokens, sessionsLost } = conversation;
  const millis = ({ p50, p95 }: typeof firstTokenMs) =>
    p50 === null || p95 === null ? null : say("millis", { p50: number(p50), p95: number(p95) });
  return (
    <Panel title={say("figures")}>
      <Facts
        of={[
          [say("turns"), number(conversation.turns)],
          [say("interruptions"), number(conversation.interruptions)],
          [say("handoffs"), number(conversation.handoffs)],
          [say("tools"), number(conversation.toolCalls)],
          [say("token"), millis(firstTokenMs)],
          [say("audio"), millis(firstAudioMs)],
          [say("model"), model === null ? null : <UserText key="model">{model}</UserText>],
          [
            say("tokens"),
            inputTokens === null || outputTokens === null
              ? null
              : `${number(inputTokens)} · ${number(outputTokens)}`,
          ],
          [say("lost"), sessionsLost === 0 ? null : number(sessionsLost)],
        ]}
      />
    </Panel>
  );
}
