import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type FormEvent, type ReactNode, useState } from "react";
import type { SessionRecord } from "../../../../contract/session.ts";
import { ApiFailure, get } from "../../api/request.ts";
import { allows, sessionQuery, signIn } from "../../api/session.ts";
import { LanguageChoice } from "../../shell/choices.tsx";
import { useTexts } from "../../texts/language.tsx";
import { Button, Field } from "../../ui/controls.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import { Mark } from "../../ui/mark.tsx";
import { Page } from "../../ui/page.tsx";
import styles from "./sign-in.module.css";

/** A user who opens the start page and has never made a call is shown how. */
async function isFirst(session: SessionRecord, path: string): Promise<boolean> {
  const mayCall = (["calls:read", "calls:write", "assistants:*", "phone-numbers:*"] as const).every((scope) =>
    allows(session, scope),
  );
  if (path !== "/" || !mayCall) return false;
  const calls = await get("/api/v1/calls", { query: { limit: 1 } }).catch(() => null);
  return calls?.length === 0;
}

/** The key is sent once and stored nowhere: from then on a cookie identifies the user. */
export function SignIn() {
  const say = useTexts();
  const queries = useQueryClient();
  const router = useRouter();
  const [fault, setFault] = useState<ReactNode>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const apiKey = String(new FormData(event.currentTarget).get("apiKey") ?? "").trim();
    setBusy(true);
    try {
      const session = await signIn(apiKey);
      if (await isFirst(session, router.history.location.pathname)) router.history.replace("/welcome");
      queries.setQueryData(sessionQuery.queryKey, session);
    } catch (error) {
      const refused = error instanceof ApiFailure && error.status === 401;
      setFault(refused ? say("signin.refused") : <ErrorText error={error} />);
      setBusy(false);
    }
  };
  return (
    <div className={styles.whole}>
      <About />
      <Page name="sign-in" title={say("signin.title")} state="ready">
        <form onSubmit={submit} className={styles.form}>
          <Field
            label={say("signin.key")}
            name="apiKey"
            type="password"
            autoComplete="current-password"
            required
            autoFocus
            hint={<Commands text={say("signin.where")} />}
            fault={fault}
          />
          <Button type="submit" look="strong" disabled={busy}>
            {say("signin.submit")}
          </Button>
        </form>
        <div className={styles.language}>
          <LanguageChoice />
        </div>
      </Page>
    </div>
  );
}

/** With what is typed on a machine between backticks. */
function Commands({ text }: { readonly text: string }) {
  return text.split("`").map((part, place) => (place % 2 === 0 ? part : <code key={part}>{part}</code>));
}

/** The brand, and what this is. */
function About() {
  const say = useTexts();
  return (
    <header className={styles.about}>
      <div className={styles.brand}>
        <Mark size={34} />
        {say("app.name")}
      </div>
      <p className={styles.what}>{say("signin.what")}</p>
      <p>{say("signin.about")}</p>
    </header>
  );
}
