import { type CSSProperties, memo, useCallback, useEffect, useRef, useState } from "react";
import { SuccessBadge, useOutcomeText } from "../../../records/outcome.tsx";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { EndReason } from "../../calls/words.tsx";
import { en } from "../en.ts";
import { CALLBACK } from "../states.ts";
import { tr } from "../tr.ts";
import styles from "./contacts.module.css";
import { type ContactRow, isSameRow } from "./rows.ts";
import { OptedOutBadge, StateBadge } from "./state-badge.tsx";

/** Height of every row, so that only the visible ones are rendered. */
const ROW_PIXELS = 40;
const BESIDE = 8;

type ContactTableProps = {
  readonly count: number;
  readonly rowOf: (index: number) => ContactRow | null;
  readonly opened: string | undefined;
  readonly open: (contactId: string) => void;
  /** Names of what calls brought home, each a column beside the success; null: there are none. */
  readonly fields: readonly string[] | null;
  /** Somebody waits for a callback or is held: the last column has room for it. */
  readonly hasLongTimes: boolean;
};

/** A virtual list: only visible rows and some more are in the page. */
export function ContactTable({ count, rowOf, opened, open, fields, hasLongTimes }: ContactTableProps) {
  const say = useTexts({ en, tr });
  const { scroller, first, last } = useWindow(count);
  const rows = [];
  for (let index = first; index < last; index += 1) {
    const row = rowOf(index);
    if (row !== null)
      rows.push(
        <Row
          key={row.contact.id}
          row={row}
          index={index}
          isOpen={row.contact.id === opened}
          open={open}
          fields={fields}
        />,
      );
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keys
    <section className={styles.scroller} ref={scroller} tabIndex={0} aria-label={say("contacts")}>
      {/* biome-ignore lint/a11y/useSemanticElements: rows of a window stand where they belong */}
      <div
        className={styles.table}
        role="table"
        aria-rowcount={count + 1}
        aria-label={say("contacts")}
        style={columnsOf(fields, hasLongTimes)}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: nothing is done with a row of a table */}
        <div className={`${styles.row} ${styles.heads}`} role="row" aria-rowindex={1}>
          {(["name", "number", "status"] as const).map((column) => (
            // biome-ignore lint/a11y/useSemanticElements: as above
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            <span key={column} role="columnheader">
              {say(`column.${column}`)}
            </span>
          ))}
          {fields === null ? null : (
            // biome-ignore lint/a11y/useSemanticElements: as above
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            <span role="columnheader">{say("column.brought")}</span>
          )}
          {(fields ?? []).map((name) => (
            // biome-ignore lint/a11y/useSemanticElements: as above
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            <span key={name} role="columnheader" data-user-text="" dir="auto" title={name}>
              {name}
            </span>
          ))}
          {(["attempts", "last", "next"] as const).map((column) => (
            // biome-ignore lint/a11y/useSemanticElements: as above
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            <span key={column} role="columnheader">
              {say(`column.${column}`)}
            </span>
          ))}
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div role="rowgroup" className={styles.body} style={{ height: count * ROW_PIXELS }}>
          {rows}
        </div>
      </div>
    </section>
  );
}

/**
 * What calls brought home stands beside the status, and the table grows. Never an empty variable: React takes
 * that for none, and the columns that use it are void.
 */
function columnsOf(fields: readonly string[] | null, hasLongTimes: boolean): CSSProperties {
  const more = fields === null ? [] : ["7rem", ...fields.map(() => "minmax(8rem, 1fr)")];
  const next = hasLongTimes ? "minmax(15rem, 1fr)" : "0.7fr";
  const variables: Record<`--${string}`, string> = {
    "--columns": [
      "1.3fr",
      "minmax(9.5rem, 1.05fr)",
      "1.6fr",
      ...more,
      "0.6fr",
      "minmax(8.2rem, 1.05fr)",
      next,
    ].join(" "),
    "--more-width": `${more.length * 9 + (hasLongTimes ? 8 : 0)}rem`,
  };
  return variables;
}

type RowProps = {
  readonly fields: readonly string[] | null;
  readonly row: ContactRow;
  readonly index: number;
  readonly isOpen: boolean;
  readonly open: (contactId: string) => void;
};

/** Memoised: most rows do not change while events arrive. */
const Row = memo(OneRow, (before, now) => {
  const { index, isOpen, open, fields } = before;
  return (
    fields === now.fields &&
    index === now.index &&
    isOpen === now.isOpen &&
    open === now.open &&
    isSameRow(before.row, now.row)
  );
});

function OneRow({ row, index, isOpen, open, fields }: RowProps) {
  const { number } = useFormat();
  const { contact, state, before, attempts, lastEnd, callbackZone, optedOut } = row;
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the table
    // biome-ignore lint/a11y/useFocusableInteractive: as the table
    <div
      className={`${styles.row} ${isOpen ? styles.opened : ""}`}
      role="row"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${index * ROW_PIXELS}px)` }}
      data-contact={contact.id}
      data-status={state}
    >
      <Cell>
        <button type="button" className={styles.name} onClick={() => open(contact.id)}>
          <bdi data-user-text="">{contact.name ?? contact.phoneNumber}</bdi>
        </button>
      </Cell>
      <Cell>
        <span dir="ltr">{contact.phoneNumber}</span>
      </Cell>
      <Cell>
        {before === undefined ? null : (
          <span className={styles.before}>
            {before === null ? "–" : <StateBadge state={before} isBefore />} →{" "}
          </span>
        )}
        <StateBadge state={callbackZone === null ? state : CALLBACK} />
        {optedOut ? <OptedOutBadge /> : null}
      </Cell>
      {fields === null ? null : <OutcomeCells outcome={row.outcome} fields={fields} />}
      <Cell>{number(attempts)}</Cell>
      <Cell>{lastEnd === null ? "" : <EndReason endReason={lastEnd} />}</Cell>
      <Cell>
        <NextCall of={row} />
      </Cell>
    </div>
  );
}

function NextCall({
  of: { nextAttemptAt, isDue, callbackZone, hold },
}: {
  readonly of: Pick<ContactRow, "nextAttemptAt" | "isDue" | "callbackZone" | "hold">;
}) {
  const say = useTexts({ en, tr });
  const { time, moment, there } = useFormat();
  if (hold !== null && hold.until !== null)
    return (
      <span data-testid="held" title={say(`held.${hold.rule}`, { at: time(hold.until) })}>
        {say("held.until", { at: moment(hold.until) })}
      </span>
    );
  if (hold !== null) return <span data-testid="held">{say(`held.${hold.rule}`)}</span>;
  if (nextAttemptAt === null) return null;
  if (callbackZone === null)
    return <span title={time(nextAttemptAt)}>{isDue ? say("due") : moment(nextAttemptAt)}</span>;
  return (
    <span data-testid="callback-at" title={`${callbackZone} · ${time(nextAttemptAt)}`}>
      {say("callback.at", { at: there(nextAttemptAt, callbackZone) })}
    </span>
  );
}

function OutcomeCells({
  outcome,
  fields,
}: Pick<ContactRow, "outcome"> & { readonly fields: readonly string[] }) {
  const textOf = useOutcomeText();
  return (
    <>
      <Cell>{outcome === undefined ? null : <SuccessBadge success={outcome.success} />}</Cell>
      {fields.map((name) => {
        const value = outcome?.fields[name];
        const text = value === undefined || value === null ? "" : textOf(value);
        return (
          <Cell key={name}>
            <span data-user-text="" dir="auto" title={text} data-outcome={name}>
              {text}
            </span>
          </Cell>
        );
      })}
    </>
  );
}

function Cell({ children }: { readonly children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: as the table
    <span role="cell">{children}</span>
  );
}

/** Which rows are visible. */
function useWindow(count: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ first: 0, last: 24 });
  const look = useCallback(() => {
    const { current } = scroller;
    if (current === null) return;
    const first = Math.max(0, Math.floor(current.scrollTop / ROW_PIXELS) - BESIDE);
    const last = Math.ceil((current.scrollTop + current.clientHeight) / ROW_PIXELS) + BESIDE;
    setSeen((before) => (before.first === first && before.last === last ? before : { first, last }));
  }, []);
  useEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    look();
    current.addEventListener("scroll", look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(current);
    return () => {
      current.removeEventListener("scroll", look);
      resized.disconnect();
    };
  }, [look]);
  return { scroller, first: Math.min(seen.first, count), last: Math.min(seen.last, count) };
}
