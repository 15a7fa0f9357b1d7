import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { CallRecord } from "../../../../contract/call.ts";
import { ask, remove } from "../../api/request.ts";
import { isOver } from "../../records/call.ts";
import { Confirm } from "../../records/confirm.tsx";
import { Fault } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, PLAIN_LINK } from "../../ui/controls.tsx";
import { EraseCall } from "../privacy/erase.tsx";
import { TEXTS } from "./texts.ts";

/** Hang up during the call; call again, play it again and erase its texts after it. */
export function Commands({ call }: { readonly call: CallRecord }) {
  const allowed = useAllowed();
  const isAllowed = allowed("calls:write");
  const over = isOver(call);
  return (
    <>
      {isAllowed && !over ? <HangUp call={call} /> : null}
      {isAllowed && over ? <Again call={call} /> : null}
      {allowed("assistants:*") && over && call.connectedAt !== null && !call.erased ? (
        <RehearseCall call={call} />
      ) : null}
      {allowed("admin") && over && !call.erased ? <EraseCall callId={call.id} /> : null}
    </>
  );
}

/** A case of a rehearsal of its assistant, in which its customer is played again. */
function RehearseCall({ call: { id, assistantId } }: { readonly call: CallRecord }) {
  const say = useTexts(TEXTS);
  return (
    <Link
      to="/assistants/$id/rehearsal"
      params={{ id: assistantId }}
      search={{ call: id }}
      className={PLAIN_LINK}
      data-testid="rehearse-call"
    >
      {say("rehearse")}
    </Link>
  );
}

function HangUp({ call: { id } }: { readonly call: CallRecord }) {
  const say = useTexts(TEXTS);
  const [asked, setAsked] = useState(false);
  const { busy, fault, run } = useCommand(`/api/v1/calls/${id}`);
  const hangUp = async () => {
    const answer = await run(() => remove("/api/v1/calls/outbound/:callId", { params: { callId: id } }));
    setAsked(answer !== undefined);
  };
  return (
    <>
      <Button look="danger" data-testid="hang-up" disabled={busy || asked} onClick={hangUp}>
        {say(asked ? "hangup.asked" : "hangup")}
      </Button>
      <Fault error={fault} />
    </>
  );
}

function Again({ call }: { readonly call: CallRecord }) {
  const say = useTexts(TEXTS);
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const command = useCommand("/api/v1/calls");
  const callAgain = async () => {
    const started = await command.run(() => startAgain(call));
    if (started === undefined) return;
    setOpen(false);
    void navigate({ to: "/calls/$id", params: { id: started } });
  };
  return (
    <>
      <Button data-testid="call-again" onClick={() => setOpen(true)}>
        {say("again")}
      </Button>
      {open ? (
        <Confirm
          title={say("again.title", { to: call.to })}
          look="strong"
          action={say("again")}
          command={command}
          onConfirm={() => void callAgain()}
          onClose={() => setOpen(false)}
        >
          <p>{say("again.told")}</p>
        </Confirm>
      ) : null}
    </>
  );
}

/** A single call with the settings of this one. */
async function startAgain({ to, phoneNumberId, assistantId, ...call }: CallRecord): Promise<string> {
  const { squadId, greetingMessage, specialInstructions, metadata } = call;
  const { body } = await ask("POST", "/api/v1/calls/outbound", {
    body: {
      to,
      phoneNumberId,
      assistantId,
      metadata,
      ...(squadId === null ? {} : { squadId }),
      ...(greetingMessage === null ? {} : { greetingMessage }),
      ...(specialInstructions === null ? {} : { specialInstructions }),
    },
  });
  return body.callId;
}
