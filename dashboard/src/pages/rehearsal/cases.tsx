import { useState } from "react";
import type { AssistantRecord } from "../../../../contract/assistant.ts";
import { ApiFailure, patch, post } from "../../api/request.ts";
import { Beside, Fault, Form, Muted, Row } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useCommand } from "../../records/use-command.ts";
import { ALL, useList } from "../../records/use-list.ts";
import { useSearch } from "../../records/use-search.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Check, Choice, Field, Panel } from "../../ui/controls.tsx";
import { Page, type PageHead } from "../../ui/page.tsx";
import { ASSISTANT, PATH as ASSISTANTS } from "../assistants/texts.ts";
import type { CallsToPlay } from "./caller-fields.tsx";
import { CaseCard } from "./case-card.tsx";
import { Earlier, type EarlierProps } from "./earlier.tsx";
import { ExpectRows, type Known } from "./expect-rows.tsx";
import {
  bodyOf,
  type CaseDraft,
  caseLike,
  controlOf,
  newCase,
  newExpect,
  newTurn,
  notJson,
  type RehearsalDraft,
} from "./rehearsal-draft.ts";
import { PATH, TEXTS } from "./texts.ts";

const MOST_CASES = 50;
const PAST = { ...ALL, status: "completed" } as const;
/** So many cards are open at first. */
const OPEN_CARDS = 2;

type CasesProps = EarlierProps & {
  readonly head: PageHead;
  readonly assistant: AssistantRecord;
  readonly begun: RehearsalDraft;
};

/** The form as it is typed, what of it was refused, and how it becomes a rehearsal. */
function useCases(assistant: AssistantRecord, begun: RehearsalDraft) {
  const say = useTexts(TEXTS);
  const [, search] = useSearch();
  const [draft, setDraft] = useState(begun);
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const [newest, setNewest] = useState<number | null>(null);
  const { busy, fault, run } = useCommand(PATH);
  /** Places change, and with them what was refused at a control. */
  const changeCases = (next: readonly CaseDraft[], added?: CaseDraft) => {
    setFaults(new Map());
    setDraft({ ...draft, cases: next });
    if (added === undefined) return;
    setNewest(added.id);
    focusOn(`cases.${next.indexOf(added)}.name`);
  };
  const mark = (marked: ReadonlyMap<string, string>) => {
    setFaults(marked);
    const [first] = marked.keys();
    if (first !== undefined) focusOn(first);
  };
  const start = async () => {
    const bad = notJson(draft);
    mark(new Map(bad.map((control) => [control, say("json.bad")])));
    if (bad.length > 0) return;
    const begunOne = await run(() =>
      post(PATH, { body: bodyOf(assistant.id, draft) }).catch((error: unknown) => {
        const details = error instanceof ApiFailure ? error.details : [];
        mark(new Map(details.map(({ path, message }) => [controlOf(draft, path), message])));
        throw error;
      }),
    );
    if (begunOne !== undefined) search({ rehearsal: begunOne.id, from: "", call: "" });
  };
  return { draft, setDraft, faults, newest, changeCases, start, busy, fault };
}

/** What is played; without a case the page says what a rehearsal is. */
export function Cases({ head, assistant, begun, rehearsals }: CasesProps) {
  const say = useTexts(TEXTS);
  const { draft, setDraft, faults, newest, changeCases, start, busy, fault } = useCases(assistant, begun);
  const known = useKnown(assistant);
  const calls = useCallsOf(assistant.id);
  const { cases } = draft;
  const add = (caller: CaseDraft["caller"]) => {
    const name = say("case.default", { place: cases.length + 1 });
    const expect = assistant.outcome?.success == null ? [newExpect("says")] : [newExpect("success")];
    const added = newCase(freeName(name, cases), caller, expect);
    changeCases([...cases, added], added);
  };
  const adders = <Adders calls={calls} isFull={cases.length >= MOST_CASES} add={add} />;
  return (
    <Page
      {...head}
      state={cases.length === 0 ? "empty" : "ready"}
      empty={<p>{say("empty")}</p>}
      actions={cases.length === 0 ? adders : undefined}
      below={<Earlier rehearsals={rehearsals} />}
    >
      <Beside facts={<Earlier rehearsals={rehearsals} />}>
        <Form onSubmit={start}>
          {cases.map((of, place) => (
            <CaseCard
              key={of.id}
              of={of}
              place={place}
              isNew={of.id === newest || cases.length <= OPEN_CARDS}
              known={known}
              calls={calls}
              faultOf={(name) => faults.get(name)}
              refused={[...faults.keys()].filter((name) => name.startsWith(`cases.${place}.`))}
              change={(next) => setDraft({ ...draft, cases: cases.with(place, next) })}
              copy={() => {
                const added = caseLike(of, freeName(of.name, cases));
                changeCases(cases.toSpliced(place + 1, 0, added), added);
              }}
              remove={() => changeCases(cases.toSpliced(place, 1))}
            />
          ))}
          {adders}
          <Panel title={say("all")}>
            <ExpectRows
              legend={say("expect.all")}
              name="expect"
              rows={draft.expect}
              known={known}
              faultOf={(name) => faults.get(name)}
              change={(expect) => setDraft({ ...draft, expect })}
            />
          </Panel>
          <Settings assistant={assistant} draft={draft} faults={faults} change={setDraft} />
          <Row>
            <Button type="submit" look="strong" data-testid="rehearse" disabled={busy}>
              {say("run")}
            </Button>
            <Muted>{say("run.told")}</Muted>
          </Row>
          <Fault error={fault} />
        </Form>
      </Beside>
    </Page>
  );
}

/** After the next render, when the control is there; what folds it away is opened. */
function focusOn(name: string): void {
  setTimeout(() => {
    const control = document.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`);
    for (let fold = control?.closest("details"); fold; fold = fold.parentElement?.closest("details"))
      fold.open = true;
    control?.focus();
  });
}

/** The name, with a number where another case has it. */
function freeName(name: string, cases: readonly CaseDraft[]): string {
  const taken = new Set(cases.map((each) => each.name));
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name} ${count}`;
  return free;
}

function useKnown({ outcome, toolIds }: AssistantRecord): Known {
  const enabled = useAllowed()("tools:read");
  const { rows } = useList("/api/v1/tools", { query: ALL, enabled });
  const tools = rows.filter(({ id }) => toolIds.includes(id)).map(({ name }) => name);
  return { fields: outcome?.fields ?? [], tools };
}

/** Of the assistant first. */
function useCallsOf(assistantId: string): CallsToPlay {
  const enabled = useAllowed()("calls:read");
  const { rows } = useList("/api/v1/calls", { query: PAST, enabled });
  const answered = rows.filter(({ connectedAt }) => connectedAt !== null);
  const isOwn = (call: CallsToPlay[number]) => call.assistantId === assistantId;
  return [...answered.filter(isOwn), ...answered.filter((call) => !isOwn(call))];
}

type AddersProps = {
  readonly calls: CallsToPlay;
  readonly isFull: boolean;
  readonly add: (caller: CaseDraft["caller"]) => void;
};

function Adders({ calls, isFull, add }: AddersProps) {
  const say = useTexts(TEXTS);
  const [first] = calls;
  return (
    <Row>
      <Button
        data-testid="add-written"
        disabled={isFull}
        onClick={() => add({ kind: "written", turns: [newTurn()] })}
      >
        {say("add.written")}
      </Button>
      <Button
        data-testid="add-past"
        disabled={isFull || first === undefined}
        onClick={() => add({ kind: "past", callId: first?.id ?? "" })}
      >
        {say("add.past")}
      </Button>
      <Button
        data-testid="add-persona"
        disabled={isFull}
        onClick={() => add({ kind: "persona", persona: "", goal: "" })}
      >
        {say("add.persona")}
      </Button>
    </Row>
  );
}

type SettingsProps = {
  readonly assistant: AssistantRecord;
  readonly draft: RehearsalDraft;
  readonly faults: ReadonlyMap<string, string>;
  readonly change: (draft: RehearsalDraft) => void;
};

function Settings({ assistant, draft, faults, change }: SettingsProps) {
  const say = useTexts(TEXTS);
  const { id, publishedVersion, publishNeedsRehearsal } = assistant;
  const { busy, fault, run } = useCommand(ASSISTANTS);
  const need = (isNeeded: boolean) =>
    run(() => patch(ASSISTANT, { params: { id }, body: { publishNeedsRehearsal: isNeeded } }));
  const number = (field: "repeat" | "passAt" | "maxTokens", limits: object) => (
    <Field
      label={say(field)}
      name={field}
      type="number"
      fault={faults.get(field)}
      {...limits}
      value={draft[field]}
      onChange={({ target }) => change({ ...draft, [field]: target.value })}
    />
  );
  const versions = ["draft", ...(publishedVersion === null ? [] : ["published"])];
  const given = String(draft.version);
  return (
    <Panel title={say("settings")}>
      <div style={{ display: "grid", gap: 14 }}>
        <Field
          label={say("name")}
          name="name"
          fault={faults.get("name")}
          required
          maxLength={255}
          dir="auto"
          value={draft.name}
          onChange={({ target }) => change({ ...draft, name: target.value })}
        />
        <Choice
          label={say("version")}
          name="version"
          fault={faults.get("version")}
          value={given}
          onChange={({ target }) => change({ ...draft, version: versionOf(target.value) })}
        >
          {[...new Set([...versions, given])].map((each) => (
            <option key={each} value={each}>
              {each === "draft" || each === "published"
                ? say(`version.${each}`)
                : say("version.number", { version: each })}
            </option>
          ))}
        </Choice>
        {publishedVersion === null ? null : (
          <Check
            label={say("baseline")}
            name="baseline"
            checked={draft.baseline}
            onChange={({ target }) => change({ ...draft, baseline: target.checked })}
          />
        )}
        {number("repeat", { min: 1, max: 5, placeholder: "1" })}
        {number("passAt", { min: 0, max: 1, step: "any", placeholder: "1" })}
        {number("maxTokens", { min: 1_000, max: 10_000_000, placeholder: "500000" })}
        <Check
          label={say("needed")}
          name="publishNeedsRehearsal"
          checked={publishNeedsRehearsal}
          disabled={busy}
          onChange={({ target }) => void need(target.checked)}
        />
        <Muted>{say("needed.told")}</Muted>
        <Fault error={fault} />
      </div>
    </Panel>
  );
}

const versionOf = (text: string): RehearsalDraft["version"] =>
  text === "draft" || text === "published" ? text : Number(text);
