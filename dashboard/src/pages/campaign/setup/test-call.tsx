import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { post } from "../../../api/request.ts";
import { Fault } from "../../../records/records.tsx";
import { typedNumber } from "../../../records/typed-number.ts";
import { useCommand } from "../../../records/use-command.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button, Dialog, Field } from "../../../ui/controls.tsx";
import { en } from "../en.ts";
import { tr } from "../tr.ts";
import styles from "./setup.module.css";

/** Rings on the pages of this dashboard that are open. */
const BROWSER_PHONE = "+15005550099";

type TestCallProps = { readonly campaignId: string; readonly onClose: () => void };

/** Calls whoever asks, with the campaign's texts for its first person. */
export function TestCall({ campaignId: id, onClose }: TestCallProps) {
  const say = useTexts({ en, tr });
  const frame = useTexts();
  const [to, setTo] = useState(BROWSER_PHONE);
  const [callId, setCallId] = useState<string | null>(null);
  const { busy, fault, run } = useCommand();
  const call = async () => {
    const started = await run(async () => {
      const called = await typedNumber(to);
      const { callId } = await post("/api/v1/campaigns/:id/test-call", {
        params: { id },
        body: { to: called },
      });
      return { called, callId };
    });
    if (started === undefined) return;
    // It rings on this page, which the dialog would cover.
    if (started.called === BROWSER_PHONE) onClose();
    else setCallId(started.callId);
  };
  return (
    <Dialog title={say("test.title")} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void call();
        }}
      >
        <p>{say("test.told")}</p>
        <Field
          label={say("test.to")}
          hint={say("test.to-hint", { number: BROWSER_PHONE })}
          name="to"
          type="tel"
          dir="ltr"
          value={to}
          onChange={({ target }) => setTo(target.value)}
        />
        <Fault error={fault} />
        {callId === null ? null : (
          <p role="status">
            {say("test.rings")}{" "}
            <Link to="/calls/$id" params={{ id: callId }}>
              {say("call")}
            </Link>
          </p>
        )}
        <div className={styles.row}>
          <Button type="submit" look="strong" data-testid="call-me" disabled={busy}>
            {say("test.call")}
          </Button>
          <Button onClick={onClose}>{frame("dialog.close")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
