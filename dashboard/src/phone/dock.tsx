import { Link, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { PHONE_LINE } from "../../../domain/call/carrier-identity.ts";
import { EndReason } from "../pages/calls/words.tsx";
import { Row } from "../records/records.tsx";
import { ScriptedCall, ScriptedModel } from "../records/scripted-model.tsx";
import { useTexts } from "../texts/language.tsx";
import { Button } from "../ui/controls.tsx";
import { Icon } from "../ui/icons.tsx";
import { Lines } from "./lines.tsx";
import styles from "./phone.module.css";
import { answer, decline, forgetCall, hangUp, usePhone } from "./phone-line.ts";
import { usePhonePlace } from "./phone-place.tsx";
import type { Over, PhoneState, Ring } from "./phone-state.ts";
import { Talk } from "./talk.tsx";
import { TEXTS } from "./texts.ts";
import { useRingtone } from "./use-ringtone.ts";

const stateOf = ({ ringing, talk, over }: PhoneState): string => {
  if (talk !== null) return "talking";
  if (ringing.length > 0) return "ringing";
  return over === null ? "idle" : over.why;
};

/**
 * The user's telephone: visible while it rings, during a call, or when it is opened; in the page itself
 * where that has a place for it, else beside it.
 */
export function Dock({ isShown, onClose }: { readonly isShown: boolean; readonly onClose: () => void }) {
  const say = useTexts(TEXTS);
  const phone = usePhone();
  const place = usePhonePlace();
  const { ringing, talk, over, connection } = phone;
  useRingtone(ringing.length > 0 && talk === null);
  const isIdle = ringing.length === 0 && talk === null && over === null;
  const isRinging = ringing.length > 0;
  // In a place of the page it may ring below what is in sight.
  useEffect(() => {
    if (isRinging) place?.scrollIntoView({ block: "center" });
  }, [isRinging, place]);
  if (isIdle && !isShown) return null;
  const close = () => {
    forgetCall();
    onClose();
  };
  const dock = (
    <aside
      className={styles.dock}
      aria-label={say("phone")}
      data-testid="phone"
      data-state={stateOf(phone)}
      data-connection={connection}
    >
      <div className={styles.head}>
        <h2 className={styles.title}>
          <Icon of="phone" />
          <span dir="auto" data-user-text="">
            {talk?.call.assistantName ?? over?.call.assistantName ?? say("phone")}
          </span>
        </h2>
        {talk === null ? (
          <Button
            className={styles.opener}
            aria-label={say("close")}
            data-testid="phone-close"
            onClick={close}
          >
            <Icon of="close" />
          </Button>
        ) : (
          <Button look="danger" data-testid="phone-hang-up" onClick={() => hangUp(talk.call.callId)}>
            {say("hang-up")}
          </Button>
        )}
      </div>
      {ringing.map((ring) => (
        <Ringing key={ring.callId} ring={ring} isBusy={talk !== null} />
      ))}
      {talk === null ? null : <Talk key={talk.call.callId} talk={talk} isConnected={connection === "open"} />}
      {over === null || talk !== null ? null : <Ended over={over} />}
      {isIdle ? <Idle connection={connection} /> : null}
      {place === null ? <Speaker phone={phone} /> : null}
    </aside>
  );
  return place === null ? dock : createPortal(dock, place);
}

/** Says that no real model speaks; a page with a place for the phone says so itself. */
function Speaker({ phone: { talk, over } }: { readonly phone: PhoneState }) {
  const of = talk ?? over;
  return of === null ? <ScriptedModel /> : <ScriptedCall callId={of.call.callId} isLive={talk !== null} />;
}

function Idle({ connection }: Pick<PhoneState, "connection">) {
  const say = useTexts(TEXTS);
  return (
    <>
      <p role="status">{say(`phone.${connection}`)}</p>
      <p className={styles.who}>{say("idle", { line: PHONE_LINE })}</p>
    </>
  );
}

function Ringing({ ring, isBusy }: { readonly ring: Ring; readonly isBusy: boolean }) {
  const say = useTexts(TEXTS);
  const { callId, from, assistantName } = ring;
  return (
    <div className={styles.ring} role="alert" data-ringing={callId}>
      <strong dir="auto" data-user-text="">
        {say("rings", { name: assistantName })}
      </strong>
      <span className={styles.who}>{say("from", { number: from })}</span>
      <Row>
        <Button look="strong" data-testid="answer" disabled={isBusy} onClick={() => answer(callId)}>
          {say("answer")}
        </Button>
        <Button look="danger" data-testid="decline" onClick={() => decline(callId)}>
          {say("decline")}
        </Button>
      </Row>
    </div>
  );
}

function Ended({ over: { call, lines, why, endReason } }: { readonly over: Over }) {
  const say = useTexts(TEXTS);
  // After a change of page the message was read, and would only cover the page.
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const endedOn = useRef(path);
  useEffect(() => {
    if (path !== endedOn.current) forgetCall();
  }, [path]);
  useEffect(() => {
    if (why !== "taken") return;
    const timer = setTimeout(forgetCall, 15_000);
    return () => clearTimeout(timer);
  }, [why]);
  return (
    <>
      {lines.length === 0 ? null : <Lines lines={lines} name={call.assistantName} />}
      <p role="status">
        {say(`over.${why}`)}
        {endReason === null ? null : (
          <>
            {": "}
            <EndReason endReason={endReason} />
          </>
        )}
      </p>
      <Link to="/calls/$id" params={{ id: call.callId }}>
        {say("open-call")}
      </Link>
    </>
  );
}
