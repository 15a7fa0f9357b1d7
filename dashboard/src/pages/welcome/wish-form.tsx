import { useState } from "react";
import { Form, Row } from "../../records/records.tsx";
import { LANGUAGES, type Language, useLanguage, useTexts } from "../../texts/language.tsx";
import { Button, Field, Panel, TextField } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { en } from "./en.ts";
import { DEFAULTS, PLACEHOLDER, type Wishes } from "./first-call.ts";
import { tr } from "./tr.ts";

const NAMES = { en: "English", tr: "Türkçe" } as const;

export function WishForm({
  number,
  busy,
  fault,
  isAgain,
  onCall,
}: {
  readonly number: string;
  readonly busy: boolean;
  readonly fault: unknown;
  readonly isAgain: boolean;
  readonly onCall: (wishes: Wishes) => unknown;
}) {
  const say = useTexts({ en, tr });
  const { language: own } = useLanguage();
  const [language, setLanguage] = useState<Language>(own);
  const [greeting, setGreeting] = useState(DEFAULTS[own].greeting);
  const greetIn = (next: Language) => {
    setLanguage(next);
    setGreeting(DEFAULTS[next].greeting);
  };
  const submit = (fields: FormData) =>
    onCall({
      contactName: String(fields.get("name") ?? "").trim(),
      // The first page stays small: without the numbering plans of other forms.
      phoneNumber: String(fields.get("phoneNumber") ?? "").replaceAll(/[\s()./\p{Pd}]/gu, ""),
      greeting,
      language,
    });
  return (
    <Panel>
      <Form onSubmit={submit} fault={fault}>
        <Field
          label={say("your-name")}
          hint={say("your-name.hint", { placeholder: PLACEHOLDER })}
          name="name"
          required
          maxLength={100}
          dir="auto"
          autoComplete="given-name"
        />
        <Field
          label={say("number")}
          hint={say("number.hint")}
          name="phoneNumber"
          type="tel"
          required
          defaultValue={number}
        />
        <TextField
          label={say("greeting")}
          name="greetingMessage"
          required
          rows={3}
          maxLength={1_000}
          dir="auto"
          value={greeting}
          onChange={({ target }) => setGreeting(target.value)}
        />
        <Row>
          <span>{say("greeting.in")}</span>
          {LANGUAGES.map((each) => (
            <Button
              key={each}
              lang={each}
              data-greeting={each}
              aria-pressed={language === each}
              onClick={() => greetIn(each)}
            >
              {language === each ? <Icon of="good" isSmall /> : null} {NAMES[each]}
            </Button>
          ))}
        </Row>
        <Row>
          <Button type="submit" look="strong" data-testid="call" disabled={busy}>
            {say(isAgain ? "again" : "call")}
          </Button>
        </Row>
      </Form>
    </Panel>
  );
}
