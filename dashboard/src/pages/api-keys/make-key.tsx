import { type FormEvent, type ReactNode, useState } from "react";
import type { IssuedApiKey } from "../../../../contract/api-key.ts";
import { SCOPES } from "../../../../contract/scopes.ts";
import { post } from "../../api/request.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Check, Field, Panel } from "../../ui/controls.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import layout from "../../ui/layout.module.css";
import { en } from "./en.ts";
import { ScopeName } from "./scope-name.tsx";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };
type MakeKeyProps = { readonly isOperator: boolean; readonly onIssued: (issued: IssuedApiKey) => void };
type Fault = { readonly name?: string; readonly scopes?: string; readonly other?: ReactNode };

/** Only an operator sees the scope that only an operator may give. */
export function MakeKey({ isOperator, onIssued }: MakeKeyProps) {
  const say = useTexts(TEXTS);
  const own = useTexts();
  const [fault, setFault] = useState<Fault>({});
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const draft = draftOf(new FormData(form));
    const missing: Fault = {
      ...(draft.name === "" ? { name: say("make.name_required") } : {}),
      ...(draft.scopes.length === 0 ? { scopes: say("make.scopes_required") } : {}),
    };
    setFault(missing);
    if (Object.keys(missing).length > 0) return;
    setBusy(true);
    try {
      onIssued(await post("/api/v1/api-keys", { body: draft }));
      form.reset();
    } catch (error) {
      setFault({ other: <ErrorText error={error} /> });
    }
    setBusy(false);
  };
  return (
    <Panel title={say("make.title")}>
      <form noValidate onSubmit={submit} className={`${layout.stack} ${layout.wide}`}>
        <div className={layout.columns}>
          <Field
            label={say("make.name")}
            hint={say("make.name_hint")}
            name="name"
            dir="auto"
            maxLength={255}
            fault={fault.name}
          />
          <Field
            label={say("make.expires")}
            hint={say("make.expires_hint")}
            name="expiresAt"
            type="datetime-local"
          />
        </div>
        <fieldset className={layout.group}>
          <legend>{say("make.scopes")}</legend>
          <div className={layout.choices}>
            {SCOPES.filter((scope) => isOperator || scope !== "operator").map((scope) => (
              <Check key={scope} label={<ScopeName scope={scope} />} name="scopes" value={scope} />
            ))}
          </div>
        </fieldset>
        {fault.scopes === undefined ? null : <p role="alert">{fault.scopes}</p>}
        {fault.other === undefined ? null : <p role="alert">{fault.other}</p>}
        <div>
          <Button type="submit" look="strong" data-testid="create" disabled={busy}>
            {own("create")}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function draftOf(form: FormData) {
  const local = String(form.get("expiresAt") ?? "");
  return {
    name: String(form.get("name") ?? "").trim(),
    scopes: SCOPES.filter((scope) => form.getAll("scopes").includes(scope)),
    ...(local === "" ? {} : { expiresAt: new Date(local).toISOString() }),
  };
}
