import { Link } from "@tanstack/react-router";
import type { CallRecord } from "../../../../contract/call.ts";
import { CampaignLink } from "../../records/campaign-link.tsx";
import { Facts, Muted, UserText } from "../../records/records.tsx";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Panel } from "../../ui/controls.tsx";
import { Time } from "../../ui/time.tsx";
import { EndReason, StatusBadge } from "../calls/words.tsx";
import { TEXTS } from "./texts.ts";

type Names = (assistantId: string) => string;

export function Details({ call, names }: { readonly call: CallRecord; readonly names: Names }) {
  const say = useTexts(TEXTS);
  const { number, seconds } = useFormat();
  const { assistantId, assistantVersion, endedBy, answeredBy, squadId, campaignId, error } = call;
  const assistant = say("version", { name: names(assistantId), version: assistantVersion });
  return (
    <Panel title={say("about")}>
      <Facts
        of={[
          [say("number"), <NumberLink key="number" number={call.to} />],
          [say("from"), call.from],
          [say("assistant"), <UserText key="assistant">{assistant}</UserText>],
          [say("squad"), squadId === null ? null : <SquadLink key="squad" id={squadId} />],
          [say("campaign"), campaignId === null ? null : <CampaignLink key="campaign" id={campaignId} />],
          [say("attempt"), campaignId === null ? null : number(call.attempt)],
          [say("end"), call.endReason === null ? null : <EndReason key="end" endReason={call.endReason} />],
          [say("ended-by"), endedBy === null ? null : say(`by.${endedBy}`)],
          [say("answered"), answeredBy === null ? null : say(`answered.${answeredBy}`)],
          [say("duration"), call.durationSeconds === null ? null : seconds(call.durationSeconds)],
          [say("cost"), call.cost === null ? null : number(call.cost)],
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
        ]}
      />
    </Panel>
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
  return (
    <Link to="/squads/$id" params={{ id }}>
      {id}
    </Link>
  );
}

/** Every status with its time. */
export function Times({ call: { statusHistory } }: { readonly call: CallRecord }) {
  const say = useTexts(TEXTS);
  return (
    <Panel title={say("times")}>
      <ol style={{ display: "grid", gap: 8, margin: 0, padding: 0, listStyle: "none" }}>
        {statusHistory.map(({ status, at }) => (
          <li key={status} style={{ display: "flex", flexWrap: "wrap", gap: 10 }}>
            <StatusBadge status={status} />
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
          [say("model"), model],
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
