import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTexts } from "../../texts/language.tsx";
import { Badge } from "../../ui/controls.tsx";
import { ErrorText } from "../../ui/error-text.tsx";
import layout from "../../ui/layout.module.css";
import { type Preview, type PreviewRequest, previewQuery } from "./campaign-api.ts";
import type { Draft } from "./draft.ts";
import { en } from "./en.ts";
import { unfilledKeys } from "./placeholders.ts";
import { contactOf, type PreviewContact } from "./read-file.ts";
import { tr } from "./tr.ts";
import styles from "./wizard.module.css";

const TEXTS = { en, tr };
const SHOWN = 4;
const TYPING_PAUSE_MILLIS = 250;

/** What the first contacts of the file would hear, filled by the service. */
export function TextPreview({ draft }: { readonly draft: Draft }) {
  const say = useTexts(TEXTS);
  const rows = draft.read?.rows ?? [];
  const contacts = rows.slice(0, SHOWN).map((row) => contactOf(row, draft.columns));
  const body = useSettled<PreviewRequest>({
    ...(draft.greetingMessage === "" ? {} : { greetingMessage: draft.greetingMessage }),
    ...(draft.specialInstructions === "" ? {} : { specialInstructions: draft.specialInstructions }),
    ...(draft.assistantId === "" ? {} : { assistantId: draft.assistantId }),
    contacts,
  });
  const preview = useQuery({ ...previewQuery(body), enabled: contacts.length > 0 });
  const texts = `${body.greetingMessage ?? ""}\n${body.specialInstructions ?? ""}`;
  return (
    <section
      className={`${layout.stack} ${layout.wide}`}
      data-testid="preview"
      aria-busy={preview.isFetching}
    >
      <h3>{say("preview.title")}</h3>
      {contacts.length === 0 ? <p>{say("preview.none")}</p> : null}
      {preview.isError ? (
        <p role="alert" className={styles.fault}>
          <ErrorText error={preview.error} />
        </p>
      ) : null}
      <ul className={styles.cards}>
        {(preview.data?.items ?? []).map((item, place) => {
          const contact = body.contacts[place];
          if (contact === undefined) return null;
          const unfilled = preview.isPlaceholderData ? [] : unfilledKeys(texts, contact);
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no other name
          return <Said key={place} item={item} contact={contact} unfilled={unfilled} />;
        })}
      </ul>
    </section>
  );
}

type SaidProps = {
  readonly item: Preview["items"][number];
  readonly contact: PreviewContact;
  readonly unfilled: readonly string[];
};

function Said({ item, contact, unfilled }: SaidProps) {
  const say = useTexts(TEXTS);
  return (
    <li className={styles.card}>
      <strong data-user-text="" dir="auto">
        {contact.name ?? contact.phoneNumber}
      </strong>
      {item.reason === undefined ? null : <p role="alert">{say("preview.too_long")}</p>}
      <SaidText label={say("preview.greeting")} text={item.greetingMessage} />
      <SaidText label={say("preview.instructions")} text={item.specialInstructions} />
      {unfilled.length === 0 ? null : (
        <p className={layout.choices}>
          {unfilled.map((key) => (
            <Badge key={key} tone="wait" data-unfilled={key}>
              {say("preview.unfilled", { key: `{{${key}}}` })}
            </Badge>
          ))}
        </p>
      )}
    </li>
  );
}

function SaidText({ label, text }: { readonly label: string; readonly text: string | null }) {
  if (text === null) return null;
  return (
    <div>
      <div className={`${layout.small} ${layout.muted}`}>{label}</div>
      <div data-user-text="" dir="auto" className={styles.said}>
        {text}
      </div>
    </div>
  );
}

/** The value once it has not changed for a moment. */
function useSettled<T>(value: T): T {
  const text = JSON.stringify(value);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MILLIS);
    return () => clearTimeout(timer);
  }, [text]);
  return JSON.parse(settled) as T;
}
