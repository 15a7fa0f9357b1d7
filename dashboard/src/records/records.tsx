import { type CSSProperties, type FormEvent, type ReactNode, useState } from "react";
import { useTexts } from "../texts/language.tsx";
import { Button } from "../ui/controls.tsx";
import { Icon } from "../ui/icons.tsx";
import layout from "../ui/layout.module.css";
import { Failure } from "../ui/page.tsx";
import styles from "./records.module.css";

/** A column heading; for numbers it is right-aligned. */
type Head = string | { readonly number: string };

const textOfHead = (head: Head): string => (typeof head === "string" ? head : head.number);

/** The headings as CSS has them: on a telephone each stands before its cell. */
function labelsOf(heads: readonly Head[]): CSSProperties {
  const labels: Record<`--head-${number}`, string> = {};
  for (const [place, head] of heads.entries())
    labels[`--head-${place + 1}`] = JSON.stringify(textOfHead(head));
  return labels;
}

/**
 * Rows under headings; a wide table scrolls by itself, also by keyboard. On a telephone each row is a card,
 * its first cell the title.
 */
export function Table({
  label,
  heads,
  children,
}: {
  readonly label: string;
  readonly heads: readonly Head[];
  readonly children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={label} style={labelsOf(heads)}>
      <table className={styles.table}>
        <thead className={layout.heardOnPhone}>
          <tr>
            {heads.map((head, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: headings never move
              <th key={place} scope="col" className={typeof head === "string" ? undefined : styles.digits}>
                {textOfHead(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

/** The cell of a number. */
export function Digits({ children }: { readonly children: ReactNode }) {
  return <td className={styles.digits}>{children}</td>;
}

export function More({
  list: { hasNextPage, isFetchingNextPage, fetchNextPage },
}: {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}) {
  const say = useTexts();
  if (!hasNextPage) return null;
  return (
    <div>
      <Button data-testid="more" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {say("list.more")}
      </Button>
    </div>
  );
}

/** Controls side by side. */
export function Row({ children }: { readonly children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}

export function Bar({ children }: { readonly children: ReactNode }) {
  return <div className={styles.bar}>{children}</div>;
}

/** What narrows a list; on a telephone behind one button, which says how much is chosen. */
export function Filters({ chosen, children }: { readonly chosen: number; readonly children: ReactNode }) {
  const say = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.filters} data-open={isOpen}>
      <Button data-testid="filters" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon of="filters" /> {chosen === 0 ? say("filters") : say("filters.chosen", { count: chosen })}
      </Button>
      {children}
    </div>
  );
}

export function Columns({ children }: { readonly children: ReactNode }) {
  return <div className={styles.columns}>{children}</div>;
}

type BesideProps = {
  readonly facts: ReactNode;
  /** On a telephone the facts come first: they are short, and what they are beside is long. */
  readonly isShort?: boolean;
  readonly children: ReactNode;
};

/** What a page is about, and facts beside it: below it where there is no room. */
export function Beside({ facts, isShort = false, children }: BesideProps) {
  return (
    <div className={styles.beside} data-short={isShort}>
      <div>{children}</div>
      <div>{facts}</div>
    </div>
  );
}

/** A form that passes its values on, and shows why it was refused. */
export function Form({
  onSubmit,
  fault,
  children,
}: {
  readonly onSubmit: (fields: FormData, form: HTMLFormElement) => unknown;
  readonly fault?: unknown;
  readonly children: ReactNode;
}) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget), event.currentTarget);
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      {children}
      <Fault error={fault} />
    </form>
  );
}

export function Fault({ error }: { readonly error: unknown }) {
  return error === null || error === undefined ? null : <Failure error={error} />;
}

/** Names and values; null values are left out. */
export function Facts({ of }: { readonly of: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {of
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name} style={{ display: "contents" }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A text written by a user: always plain text, in its own direction. */
export function UserText({ children }: { readonly children: string | null | undefined }) {
  return (
    <span data-user-text="" dir="auto" style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
      {children ?? "–"}
    </span>
  );
}

export function Json({ value }: { readonly value: unknown }) {
  return (
    <pre className={styles.json} data-user-text="" dir="ltr">
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}

export function Muted({ children }: { readonly children: ReactNode }) {
  return <span className={styles.muted}>{children}</span>;
}

/** One number with its name; `count` is the API's name. */
export function Figure({
  name,
  count,
  value,
  children,
}: {
  readonly name: string;
  readonly count: string;
  readonly value: number;
  readonly children: ReactNode;
}) {
  return (
    <div data-count={count} data-value={value}>
      <div className={styles.muted}>{name}</div>
      <div className={styles.figure}>{children}</div>
    </div>
  );
}

/** The field for the API: null if it is empty. */
export const textOf = (fields: FormData, name: string): string | null => {
  const value = String(fields.get(name) ?? "");
  return value.trim() === "" ? null : value;
};
