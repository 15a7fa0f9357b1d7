import { useState } from "react";
import type { BodyOf, RouteAt } from "../../../../../contract/asking.ts";
import { post } from "../../../api/request.ts";
import { instantOf } from "../../../calling/calling-draft.ts";
import { Digits, Form, More, Muted, Row, Table, textOf } from "../../../records/records.tsx";
import { useCommand } from "../../../records/use-command.ts";
import { useList } from "../../../records/use-list.ts";
import { useSearch } from "../../../records/use-search.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button, Choice, Field, Panel } from "../../../ui/controls.tsx";
import layout from "../../../ui/layout.module.css";
import { Time } from "../../../ui/time.tsx";
import { type PolicyDraft, policyOf } from "../policy-draft.ts";
import { STACK, TEXTS } from "../texts.ts";
import { StatusOf, VERIFICATIONS, Verification } from "./verification.tsx";

type Wanted = NonNullable<BodyOf<RouteAt<"POST", typeof VERIFICATIONS>>["policy"]>;

/** Holds a policy against every dial: the one in force at it, the one of now, or what is typed. */
export function Past({ draft }: { readonly draft: PolicyDraft }) {
  const say = useTexts(TEXTS);
  const [{ verification }, change] = useSearch();
  const { busy, fault, run } = useCommand(VERIFICATIONS);
  const [wanted, want] = useState("in_force");
  const begin = async (fields: FormData) => {
    const policy: Wanted =
      wanted === "typed" ? policyOf(draft) : wanted === "current" ? "current" : "in_force";
    const bound = (name: string) => instantOf(textOf(fields, name) ?? "") ?? undefined;
    const body = { policy, from: bound("from"), until: bound("until") };
    const begun = await run(() => post(VERIFICATIONS, { body }));
    if (begun !== undefined) change({ verification: begun.id });
  };
  return (
    <Panel title={say("past")}>
      <div className={STACK}>
        <Muted>{say("past.told")}</Muted>
        <Form onSubmit={begin} fault={fault}>
          <div className={layout.columns}>
            <Choice
              label={say("past.policy")}
              name="policy"
              value={wanted}
              onChange={({ target }) => want(target.value)}
            >
              {(["in_force", "current", "typed"] as const).map((each) => (
                <option key={each} value={each}>
                  {say(`past.${each}`)}
                </option>
              ))}
            </Choice>
            <Field label={say("past.from")} name="from" type="datetime-local" />
            <Field label={say("past.until")} name="until" type="datetime-local" />
          </div>
          <Row>
            <Button type="submit" data-testid="verify" disabled={busy}>
              {say("past.begin")}
            </Button>
          </Row>
        </Form>
        {verification === undefined ? null : <Verification id={verification} />}
        <Earlier open={verification} choose={(id) => change({ verification: id })} />
      </div>
    </Panel>
  );
}

type EarlierProps = { readonly open: string | undefined; readonly choose: (id: string) => void };

/** Those of the last 30 days. */
function Earlier({ open, choose }: EarlierProps) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const list = useList(VERIFICATIONS, { query: { limit: 10 } });
  if (list.rows.length === 0) return null;
  const heads = [
    say("when"),
    say("past.policy"),
    say("status"),
    { number: say("dials") },
    { number: say("violations") },
  ];
  return (
    <>
      <h3>{say("past.earlier")}</h3>
      <Table label={say("past.earlier")} heads={heads}>
        {list.rows.map((each) => (
          <tr key={each.id} data-verification={each.id} aria-current={each.id === open}>
            <td>
              <Button data-opens="" data-testid="open-verification" onClick={() => choose(each.id)}>
                <Time at={each.createdAt} />
              </Button>
            </td>
            <td>{say(`past.${typeof each.policy === "string" ? each.policy : "typed"}`)}</td>
            <td>
              <StatusOf of={each} />
            </td>
            <Digits>{number(each.dials)}</Digits>
            <Digits>{number(each.violations.count)}</Digits>
          </tr>
        ))}
      </Table>
      <More list={list} />
    </>
  );
}
