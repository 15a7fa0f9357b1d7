import { useState } from "react";
import type { CallRecord } from "../../../../contract/call.ts";
import type { CallOutcome } from "../../../../contract/outcome.ts";
import { post } from "../../api/request.ts";
import { isOver } from "../../records/call.ts";
import { SuccessBadge, useOutcomeText } from "../../records/outcome.tsx";
import { Fault, Json, Muted, Row, UserText } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useCommand } from "../../records/use-command.ts";
import { ALL, useList } from "../../records/use-list.ts";
import { useSearch } from "../../records/use-search.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Choice, Panel } from "../../ui/controls.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./outcome.module.css";
import { TEXTS } from "./texts.ts";
import { showMessage } from "./transcript.tsx";

type OutcomeProps = { readonly call: CallRecord; readonly names: (assistantId: string) => string };

/** What the call brought home: each value opens the messages that prove it. Nothing before the end. */
export function Outcome({ call, names }: OutcomeProps) {
  const say = useTexts(TEXTS);
  const { outcome } = call;
  const isAsked = outcome.status !== "none";
  if (!isAsked && (!isOver(call) || call.answeredBy === null)) return null;
  return (
    <section data-testid="outcome" data-status={outcome.status}>
      <Panel title={say("outcome")} actions={<SuccessBadge success={outcome.success} />}>
        <div className={styles.card}>
          <Told call={call} />
          {outcome.status === "ready" ? <Values call={call} names={names} /> : null}
          {call.erased ? null : <Again call={call} />}
        </div>
      </Panel>
    </section>
  );
}

/** Where the analysis stands; of one that is ready only what a reader would not expect. */
function Told({ call: { outcome, messages } }: Pick<OutcomeProps, "call">) {
  const say = useTexts(TEXTS);
  const { status, pending, lastFailure } = outcome;
  const said = messages.some(({ role }) => role === "customer");
  return (
    <div role="status" className={styles.told}>
      {status === "none" ? <Muted>{say(said ? "outcome.none" : "outcome.nobody")}</Muted> : null}
      {status === "erased" ? <Muted>{say("outcome.erased")}</Muted> : null}
      {pending ? say(status === "ready" ? "outcome.again-pending" : "outcome.pending") : null}
      {lastFailure === null || pending ? null : (
        <span data-failure={lastFailure.reason}>
          {say("outcome.failed", {
            reason: say(`outcome.${lastFailure.reason}`),
            tries: lastFailure.tries,
          })}{" "}
          <Time at={lastFailure.at} />
        </span>
      )}
    </div>
  );
}

/** `?proof=<field>`: whose messages are open. */
function Values({ call, names }: OutcomeProps) {
  const say = useTexts(TEXTS);
  const [search, change] = useSearch();
  const { fields, unsupported, summary, model, analysedAt } = call.outcome;
  return (
    <>
      {summary === null ? null : (
        <p data-testid="summary">
          <UserText>{summary}</UserText>
        </p>
      )}
      <dl className={styles.values}>
        {Object.keys(fields).map((name) => (
          <Value
            key={name}
            name={name}
            call={call}
            names={names}
            isUnsupported={unsupported.includes(name)}
            isOpen={search["proof"] === name}
            open={(isOpen) => change({ proof: isOpen ? name : "" })}
          />
        ))}
      </dl>
      {model === null || analysedAt === null ? null : (
        <Muted>
          <span data-user-text="">{say("outcome.by", { model: model.name })}</span>
          {" · "}
          <Time at={analysedAt} />
        </Muted>
      )}
    </>
  );
}

type ValueProps = OutcomeProps & {
  readonly name: string;
  readonly isUnsupported: boolean;
  readonly isOpen: boolean;
  readonly open: (isOpen: boolean) => void;
};

function Value({ name, call, names, isUnsupported, isOpen, open }: ValueProps) {
  const say = useTexts(TEXTS);
  const textOf = useOutcomeText();
  const value = call.outcome.fields[name] ?? null;
  const proof = proofOf(call, call.outcome.evidence[name] ?? []);
  const text = <UserText>{textOf(value)}</UserText>;
  return (
    <div className={styles.value} data-field={name} data-value={String(value)}>
      <dt data-user-text="" dir="auto">
        {name}
      </dt>
      <dd>
        {proof.length === 0 ? (
          <Row>
            {text}
            {isUnsupported ? <Muted>{say("outcome.unsupported")}</Muted> : null}
          </Row>
        ) : (
          <button
            type="button"
            className={styles.proven}
            data-testid="prove"
            aria-expanded={isOpen}
            title={say("outcome.prove", { name })}
            onClick={() => open(!isOpen)}
          >
            {text} <Icon of={isOpen ? "down" : "right"} isSmall />
          </button>
        )}
        {isOpen ? <Proof messages={proof} names={names} /> : null}
      </dd>
    </div>
  );
}

type Messages = CallRecord["messages"];

function proofOf({ messages }: CallRecord, indexes: CallOutcome["evidence"][string]): Messages {
  return messages.filter(({ index }) => indexes.includes(index));
}

/** The messages themselves, each one press away from where it was said. */
function Proof({ messages, names }: { readonly messages: Messages; readonly names: OutcomeProps["names"] }) {
  const say = useTexts(TEXTS);
  return (
    <ul className={styles.proof} data-testid="proof">
      {messages.map(({ index, role, assistantId, content, toolName, result }) => (
        <li key={index} data-proves={index}>
          <Muted>
            <span data-user-text="" dir="auto">
              {role === "customer" ? say("role.customer") : null}
              {role === "tool" ? say("tool", { name: toolName ?? "" }) : null}
              {role === "assistant" && assistantId !== null ? names(assistantId) : null}
            </span>
          </Muted>
          {role === "tool" ? (
            <Json value={result ?? content} />
          ) : (
            <blockquote>
              <UserText>{content ?? say("erased")}</UserText>
            </blockquote>
          )}
          <button
            type="button"
            className={styles.shown}
            data-testid="to-transcript"
            onClick={() => showMessage(index)}
          >
            {say("outcome.to-transcript")}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Asks the model once more, with what the version asks for with which the call began, or another one. */
function Again({
  call: { id, outcome, messages, assistantId, assistantVersion },
}: Pick<OutcomeProps, "call">) {
  const say = useTexts(TEXTS);
  const isAllowed = useAllowed();
  const { busy, fault, run } = useCommand(`/api/v1/calls/${id}`);
  const [version, choose] = useState("");
  const mayAsk = isAllowed("calls:write") && messages.some(({ role }) => role === "customer");
  const enabled = mayAsk && isAllowed("assistants:*");
  const versions = useList("/api/v1/assistants/:id/versions", {
    params: { id: assistantId },
    query: ALL,
    enabled,
  });
  if (!mayAsk) return null;
  const others = versions.rows.filter((each) => each.outcome !== null && each.version !== assistantVersion);
  const body = version === "" ? {} : { assistantVersion: Number(version) };
  const again = () => run(() => post("/api/v1/calls/:callId/analysis", { params: { callId: id }, body }));
  return (
    <>
      <div className={styles.again}>
        {others.length === 0 ? null : (
          <Choice
            label={say("outcome.asks")}
            name="assistantVersion"
            value={version}
            onChange={({ target }) => choose(target.value)}
          >
            <option value="">{say("outcome.own", { version: assistantVersion })}</option>
            {others.map((each) => (
              <option key={each.version} value={each.version}>
                {say("outcome.version", { version: each.version })}
              </option>
            ))}
          </Choice>
        )}
        <Button data-testid="analyse" disabled={busy || outcome.pending} onClick={() => void again()}>
          {say(outcome.status === "none" ? "outcome.ask" : "outcome.again")}
        </Button>
      </div>
      <Fault error={fault} />
    </>
  );
}
