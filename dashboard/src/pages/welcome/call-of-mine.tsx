import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { CallRecord } from "../../../../contract/call.ts";
import { get } from "../../api/request.ts";
import { Lines } from "../../phone/lines.tsx";
import { usePhone } from "../../phone/phone-line.ts";
import type { Line } from "../../phone/phone-state.ts";
import { isOver } from "../../records/call.ts";
import { Fault, Row } from "../../records/records.tsx";
import { useRefresh } from "../../records/use-refresh.ts";
import { useTexts } from "../../texts/language.tsx";
import { StatusBadge } from "../calls/words.tsx";
import { en } from "./en.ts";
import { DEFAULTS } from "./first-call.ts";
import { tr } from "./tr.ts";

/**
 * The requested call in progress: what this page's phone receives, and the service's record if
 * another phone answered.
 */
export function CallOfMine({
  callId,
  assistantId,
  greeting,
}: {
  readonly callId: string;
  readonly assistantId: string;
  readonly greeting: string;
}) {
  const say = useTexts({ en, tr });
  const path = `/api/v1/calls/${callId}`;
  const call = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => get("/api/v1/calls/:callId", { params: { callId }, signal }),
  });
  useRefresh(path, ({ stream, data }) => data["callId"] === callId || stream.endsWith(callId));
  const lines = useLines(callId, call.data);
  const { data } = call;
  if (data === undefined) return <Fault error={call.error} />;
  const over = isOver(data);
  const stage = over ? "over" : lines.length > 0 ? "talking" : "rings";
  return (
    <div style={{ display: "grid", gap: 12 }} data-testid="first-call" data-call={callId} data-state={stage}>
      <Row>
        <StatusBadge status={data.status} testid="call-status" />
        <span role="status">{say(stage)}</span>
      </Row>
      {lines.length === 0 ? null : <Lines lines={lines} name={DEFAULTS.en.name} />}
      {over ? <Next callId={callId} assistantId={assistantId} greeting={greeting} /> : null}
    </div>
  );
}

function useLines(callId: string, call: CallRecord | undefined): readonly Line[] {
  const { talk, over } = usePhone();
  const heard = [talk, over].find((each) => each?.call.callId === callId)?.lines ?? [];
  if (heard.length > 0) return heard;
  const said = call?.messages.filter(({ role }) => role === "assistant" || role === "customer") ?? [];
  return said.map(({ role, content, interrupted }) => ({
    role: role === "assistant" ? "assistant" : "customer",
    text: content ?? "",
    shown: content?.length ?? 0,
    whole: true,
    cut: interrupted === true,
  }));
}

function Next({
  callId,
  assistantId,
  greeting,
}: {
  readonly callId: string;
  readonly assistantId: string;
  readonly greeting: string;
}) {
  const say = useTexts({ en, tr });
  return (
    <>
      <p>{say("over.told")}</p>
      <Row>
        <Link
          to="/campaigns/new"
          search={{ greetingMessage: greeting, assistantId }}
          data-testid="make-campaign"
        >
          {say("campaign")}
        </Link>
        <Link to="/calls/$id" params={{ id: callId }}>
          {say("look-call")}
        </Link>
        {assistantId === "" ? null : (
          <Link to="/assistants/$id" params={{ id: assistantId }}>
            {say("look-assistant")}
          </Link>
        )}
      </Row>
    </>
  );
}
