import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiFailure, put } from "../../api/request.ts";
import { POLICY, useSentences } from "../../policy/policy-said.tsx";
import { changesBetween } from "../../policy/sentences.ts";
import { Form, Muted, Row } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Panel } from "../../ui/controls.tsx";
import { Changes, MadeBy } from "./changes.tsx";
import styles from "./policy.module.css";
import { controlOf, type PolicyDraft, policyOf } from "./policy-draft.ts";
import { RuleFields } from "./rule-fields.tsx";
import { type PolicyAnswer, TEXTS, VERSIONS } from "./texts.ts";
import type { Drafting } from "./use-policy-draft.ts";

type RulesProps = {
  readonly drafting: Drafting;
  /** The newest version that is known. */
  readonly record: PolicyAnswer;
};

/** Every rule as a sentence with its controls. */
export function Rules({ drafting, record }: RulesProps) {
  const { draft, base, isTouched, begin, goOnFrom } = drafting;
  const say = useTexts(TEXTS);
  const frame = useTexts();
  const queries = useQueryClient();
  const { busy, fault, run } = useCommand(POLICY, VERSIONS);
  const [saved, setSaved] = useState<number | null>(null);
  const refusal = fault instanceof ApiFailure ? fault : null;
  const faultOf = (name: string) => refusal?.details.find(({ path }) => controlOf(path) === name)?.message;
  const change = (changed: Partial<PolicyDraft>) => {
    setSaved(null);
    drafting.change(changed);
  };
  const save = async () => {
    setSaved(null);
    const headers = { "If-Match": String(base.version) };
    const changed = await run(() => put(POLICY, { body: policyOf(draft), headers }).catch(seek));
    if (changed === undefined) return void queries.invalidateQueries({ queryKey: [POLICY] });
    begin(changed);
    setSaved(changed.version);
  };
  const isBehind = record.version > base.version;
  const isLate = refusal?.code === "POLICY_CHANGED";
  return (
    <Panel title={say("rules")}>
      <Form onSubmit={save} fault={isLate ? null : fault}>
        <Muted>{say("rules.told")}</Muted>
        <RuleFields draft={draft} change={change} faultOf={faultOf} />
        {isBehind ? (
          <Meanwhile
            base={base}
            record={record}
            onTake={() => begin(record)}
            onKeep={() => goOnFrom(record)}
          />
        ) : null}
        <Row>
          <Button type="submit" look="strong" data-testid="save" disabled={busy || isBehind}>
            {frame("save")}
          </Button>
          <span role="status" data-testid="rules-state" data-value={isTouched ? "unsaved" : "saved"}>
            <Muted>
              {isTouched ? say("unsaved") : saved === null ? null : say("saved", { version: saved })}
            </Muted>
          </span>
        </Row>
      </Form>
    </Panel>
  );
}

/** Leads to the first control that was refused. */
function seek(error: unknown): never {
  const [first] = error instanceof ApiFailure ? error.details : [];
  const name = CSS.escape(controlOf(first?.path ?? []));
  document.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  throw error;
}

type MeanwhileProps = {
  /** The version that is being changed. */
  readonly base: PolicyAnswer;
  readonly record: PolicyAnswer;
  readonly onTake: () => void;
  readonly onKeep: () => void;
};

/** Somebody else saved a version in the meantime: what it says otherwise, and what can be done. */
function Meanwhile({ base, record, onTake, onKeep }: MeanwhileProps) {
  const say = useTexts(TEXTS);
  const sentences = useSentences();
  return (
    <div role="alert" className={styles.meanwhile} data-testid="meanwhile" data-version={record.version}>
      <p>
        <strong>{say("meanwhile", { version: record.version, base: base.version })}</strong>{" "}
        <MadeBy of={record} />
      </p>
      <Changes of={changesBetween(sentences(base.policy), sentences(record.policy))} />
      <Row>
        <Button data-testid="take-theirs" onClick={onTake}>
          {say("meanwhile.take")}
        </Button>
        <Button data-testid="keep-mine" onClick={onKeep}>
          {say("meanwhile.keep")}
        </Button>
      </Row>
    </div>
  );
}
