import { Link } from "@tanstack/react-router";
import { CallHere } from "../../phone/call-here.tsx";
import { Row } from "../../records/records.tsx";
import { useTexts } from "../../texts/language.tsx";
import { en } from "./en.ts";
import { DEFAULTS } from "./first-call.ts";
import { tr } from "./tr.ts";

type CallOfMineProps = {
  readonly callId: string | null;
  readonly assistantId: string;
  readonly greeting: string;
};

/** The requested call in progress, and what comes after it. */
export function CallOfMine({ callId, assistantId, greeting }: CallOfMineProps) {
  return (
    <CallHere callId={callId} testid="first-call" assistantName={DEFAULTS.en.name}>
      {callId === null ? null : <Next callId={callId} assistantId={assistantId} greeting={greeting} />}
    </CallHere>
  );
}

function Next({ callId, assistantId, greeting }: CallOfMineProps & { readonly callId: string }) {
  const say = useTexts({ en, tr });
  return (
    <>
      <p>
        <strong>{say("over")}</strong> {say("over.told")}
      </p>
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
