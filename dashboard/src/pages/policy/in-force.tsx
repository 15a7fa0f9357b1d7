import { useQuery } from "@tanstack/react-query";
import { instantOf, localOf } from "../../calling/calling-draft.ts";
import { PolicySaid, policyQuery } from "../../policy/policy-said.tsx";
import { Form, Row, textOf } from "../../records/records.tsx";
import { useSearch } from "../../records/use-search.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Field, Panel } from "../../ui/controls.tsx";
import { MadeBy } from "./changes.tsx";
import { type PolicyAnswer, TEXTS } from "./texts.ts";

/** What is in force now, or was at the instant `?at=` of the URL. */
export function InForce({ record }: { readonly record: PolicyAnswer }) {
  const say = useTexts(TEXTS);
  const { time } = useFormat();
  const [{ at }, change] = useSearch();
  const past = useQuery({ ...policyQuery(at), enabled: at !== undefined });
  const shown = at === undefined ? record : past.data;
  const look = (fields: FormData) => change({ at: instantOf(textOf(fields, "at") ?? "") ?? undefined });
  return (
    <Panel title={at === undefined ? say("in-force") : say("in-force.at", { at: time(at) })}>
      <Form key={at} onSubmit={look} fault={past.error}>
        {shown === undefined ? null : <Version of={shown} />}
        <Row>
          <Field
            label={say("at")}
            name="at"
            type="datetime-local"
            required
            defaultValue={at === undefined ? "" : localOf(at)}
          />
          <Button type="submit" data-testid="look">
            {say("at.look")}
          </Button>
          {at === undefined ? null : (
            <Button data-testid="now" onClick={() => change({ at: undefined })}>
              {say("at.now")}
            </Button>
          )}
        </Row>
      </Form>
    </Panel>
  );
}

function Version({ of }: { readonly of: PolicyAnswer }) {
  const say = useTexts(TEXTS);
  return (
    <div data-testid="in-force" data-version={of.version}>
      {of.version === 0 ? null : (
        <p>
          {say("version.of", { version: of.version })} <MadeBy of={of} />
        </p>
      )}
      <PolicySaid policy={of.policy} />
    </div>
  );
}
