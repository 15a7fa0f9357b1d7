import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { SuppressionListRecord } from "../../../../../contract/suppression-list.ts";
import { useListKind } from "../../../policy/list-kind.tsx";
import { Digits, More, Muted, Row, Table, UserText } from "../../../records/records.tsx";
import { useAllowed } from "../../../records/use-allowed.ts";
import { useList } from "../../../records/use-list.ts";
import { useRefresh } from "../../../records/use-refresh.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Badge, Button, Panel } from "../../../ui/controls.tsx";
import { Failure } from "../../../ui/page.tsx";
import { Time } from "../../../ui/time.tsx";
import styles from "../policy.module.css";
import { STACK, TEXTS } from "../texts.ts";
import { ListForm, RemoveList, SwitchList } from "./list-commands.tsx";
import { isOwnList, LISTS, refusesEverybody, standingOf } from "./list-standing.ts";
import { LoadNumbers } from "./load-numbers.tsx";

type ListsProps = {
  /** Of the policy in force; null: lists may be of any age. */
  readonly maxAgeDays: number | null;
};

/** Every list of numbers that nobody calls, with its age. */
export function Lists({ maxAgeDays }: ListsProps) {
  const say = useTexts(TEXTS);
  const [isMaking, make] = useState(false);
  const mayWrite = useAllowed()("calls:write");
  const list = useList(LISTS, { query: { limit: 100 } });
  useRefresh(LISTS, ({ type }) => type.startsWith("SuppressionList"));
  const heads = [
    say("list.name"),
    say("list.kind"),
    { number: say("list.count") },
    say("list.as-of"),
    say("list.state"),
    say("actions"),
  ];
  const actions = mayWrite ? (
    <Button data-testid="add-list" onClick={() => make(true)}>
      {say("list.add")}
    </Button>
  ) : null;
  return (
    <Panel title={say("lists")} actions={actions}>
      <div className={STACK}>
        <Muted>{say("lists.told")}</Muted>
        {list.error === null ? null : <Failure error={list.error} onRetry={() => void list.refetch()} />}
        {list.isSuccess && refusesEverybody(list.rows, maxAgeDays) ? (
          <p role="alert" className={styles.meanwhile} data-testid="no-registry">
            {say("lists.no-registry")}
          </p>
        ) : null}
        {list.rows.length === 0 ? null : (
          <Table label={say("lists")} heads={heads}>
            {list.rows.map((each) => (
              <ListRow key={each.id} of={each} maxAgeDays={maxAgeDays} mayWrite={mayWrite} />
            ))}
          </Table>
        )}
        <More list={list} />
      </div>
      {isMaking ? <ListForm onClose={() => make(false)} /> : null}
    </Panel>
  );
}

type ListRowProps = ListsProps & { readonly of: SuppressionListRecord; readonly mayWrite: boolean };

function ListRow({ of, maxAgeDays, mayWrite }: ListRowProps) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const kindOf = useListKind();
  const isOwn = isOwnList(of);
  return (
    <tr data-list={of.id} data-active={of.active} data-numbers={of.count}>
      <td>{isOwn ? <Link to="/do-not-call">{say("list.own")}</Link> : <UserText>{of.name}</UserText>}</td>
      <td>{kindOf(of.kind)}</td>
      <Digits>{number(of.count)}</Digits>
      <td>
        <Time at={of.asOf} />
      </td>
      <td>
        <State of={of} maxAgeDays={maxAgeDays} />
      </td>
      <td>{isOwn || !mayWrite ? null : <Commands of={of} />}</td>
    </tr>
  );
}

const TONES = {
  off: "quiet",
  behind: "bad",
  empty: "wait",
  missing: "bad",
  old: "bad",
  aged: "good",
  on: "good",
} as const;

function State({ of, maxAgeDays }: Pick<ListRowProps, "of" | "maxAgeDays">) {
  const say = useTexts(TEXTS);
  const { state, days } = standingOf(of, maxAgeDays, Date.now());
  return (
    <Badge tone={TONES[state]} data-state={state}>
      {say(`standing.${state}`, { days })}
    </Badge>
  );
}

function Commands({ of }: Pick<ListRowProps, "of">) {
  const say = useTexts(TEXTS);
  const frame = useTexts();
  const [open, setOpen] = useState<"load" | "edit" | null>(null);
  const close = () => setOpen(null);
  return (
    <Row>
      <Button data-testid="load" onClick={() => setOpen("load")}>
        {say("list.load")}
      </Button>
      <SwitchList of={of} />
      <Button data-testid="edit-list" onClick={() => setOpen("edit")}>
        {frame("edit")}
      </Button>
      <RemoveList of={of} />
      {open === "load" ? <LoadNumbers of={of} onClose={close} /> : null}
      {open === "edit" ? <ListForm of={of} onClose={close} /> : null}
    </Row>
  );
}
