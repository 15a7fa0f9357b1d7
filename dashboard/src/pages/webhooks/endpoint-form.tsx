import { type FormEvent, type ReactNode, useState } from "react";
import type { WebhookRecord } from "../../../../contract/webhook.ts";
import { ALL_KINDS, DEFAULT_KINDS } from "../../../../domain/webhook/kinds.ts";
import { ApiFailure, put } from "../../api/request.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Check, Field, Panel } from "../../ui/controls.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import layout from "../../ui/layout.module.css";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };

type EndpointFormProps = {
  readonly endpoint: WebhookRecord | null;
  readonly isSaved: boolean;
  readonly onSaved: () => Promise<void>;
};

export function EndpointForm({ endpoint, isSaved, onSaved }: EndpointFormProps) {
  const say = useTexts(TEXTS);
  const own = useTexts();
  const [fault, setFault] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setFault(null);
    try {
      const chosen = form.getAll("events");
      await put("/api/v1/webhook", {
        body: {
          url: String(form.get("url") ?? "").trim(),
          enabled: form.has("enabled"),
          events: ALL_KINDS.filter((kind) => chosen.includes(kind)),
        },
      });
      await onSaved();
    } catch (error) {
      setFault(error);
    }
    setBusy(false);
  };
  const ofUrl = faultAt(fault, "url");
  const chosen = endpoint?.events ?? DEFAULT_KINDS;
  return (
    <Panel title={say("endpoint.title")}>
      <form onSubmit={submit} className={`${layout.stack} ${layout.wide}`}>
        <Field
          label={say("endpoint.url")}
          name="url"
          type="url"
          required
          dir="ltr"
          defaultValue={endpoint?.url ?? ""}
          placeholder="https://example.com/hooks/ringfold"
          fault={ofUrl}
        />
        <Check label={say("endpoint.enabled")} name="enabled" defaultChecked={endpoint?.enabled ?? true} />
        <fieldset className={layout.group}>
          <legend>{say("endpoint.events")}</legend>
          <div className={layout.choices}>
            {ALL_KINDS.map((kind) => (
              <Check
                key={kind}
                label={<code>{kind}</code>}
                name="events"
                value={kind}
                defaultChecked={chosen.includes(kind)}
              />
            ))}
          </div>
        </fieldset>
        <div className={layout.row}>
          <Button type="submit" look="strong" data-testid="save" disabled={busy}>
            {own("save")}
          </Button>
        </div>
        {fault !== null && ofUrl === undefined ? (
          <p role="alert">
            <ErrorText error={fault} />
          </p>
        ) : null}
        <p role="status" className={layout.small}>
          {isSaved && fault === null && !busy ? say("endpoint.saved") : null}
        </p>
      </form>
    </Panel>
  );
}

function faultAt(fault: unknown, field: string): ReactNode {
  if (!(fault instanceof ApiFailure)) return undefined;
  const found = fault.details.find(({ path }) => path[0] === field);
  return found === undefined ? undefined : <ErrorText error={fault} />;
}
