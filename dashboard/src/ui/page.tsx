import { type ReactNode, useEffect, useRef } from "react";
import { ApiFailure } from "../api/request.ts";
import { useTexts } from "../texts/language.tsx";
import { ErrorText } from "./error-text.tsx";
import styles from "./page.module.css";

export type PageState = "loading" | "empty" | "ready" | "error";

type PageProps = {
  /** `data-page`: the path's first word, its singular for one record. */
  readonly name: string;
  readonly title: ReactNode;
  /** A link back to the list, above the title. */
  readonly crumb?: ReactNode;
  /** The status of the shown record, next to the title. */
  readonly status?: ReactNode;
  readonly state: PageState;
  /** Why it is in the state `error`. */
  readonly failure?: unknown;
  readonly onRetry?: () => void;
  /** On the other side; on an empty page they are the next step, and shown there. */
  readonly actions?: ReactNode;
  /** Why there is nothing yet. */
  readonly empty?: ReactNode;
  /** What is there all the same, under the box that says so. */
  readonly below?: ReactNode;
  readonly children?: ReactNode;
};

/** What a page says above whatever it shows. */
export type PageHead = Pick<PageProps, "name" | "title" | "crumb">;

/** The frame of every page: its name, its one heading, and its four states. */
export function Page({ name, state, failure, onRetry, actions, empty, below, children, ...head }: PageProps) {
  const isEmpty = state === "empty";
  const offered = actions === undefined ? null : <div className={styles.actions}>{actions}</div>;
  return (
    <main className={styles.page} id="page" data-page={name} data-state={state} tabIndex={-1}>
      <header className={styles.head}>
        <Titles {...head} />
        {isEmpty ? null : offered}
      </header>
      {state === "loading" ? <Skeleton /> : null}
      {state === "error" ? <Failure error={failure} {...(onRetry === undefined ? {} : { onRetry })} /> : null}
      {isEmpty ? (
        <div className={styles.empty}>
          {empty}
          {offered}
        </div>
      ) : null}
      {isEmpty ? below : null}
      {state === "ready" ? children : null}
    </main>
  );
}

function Titles({ title, crumb, status }: Pick<PageProps, "title" | "crumb" | "status">) {
  const say = useTexts();
  const here = useRef<HTMLDivElement>(null);
  // As it reads on the page: the subject, the list that it is of, the product.
  useEffect(() => {
    const told = ["h1", `.${styles.crumb}`].map((part) => here.current?.querySelector(part)?.textContent);
    document.title = [...new Set([...told, say("app.name")])].filter(Boolean).join(" · ");
  });
  return (
    <div className={styles.titles} ref={here}>
      {crumb === undefined ? null : <div className={styles.crumb}>{crumb}</div>}
      <div className={styles.titled}>
        <h1>{title}</h1>
        {status}
      </div>
    </div>
  );
}

/** The state of a page with one list query. */
export function stateOf({
  isPending,
  isError,
  isEmpty,
}: {
  readonly isPending: boolean;
  readonly isError: boolean;
  readonly isEmpty: boolean;
}): PageState {
  if (isPending) return "loading";
  if (isError) return "error";
  return isEmpty ? "empty" : "ready";
}

function Skeleton() {
  const say = useTexts();
  return (
    <div className={styles.skeleton} role="status" aria-label={say("page.loading")}>
      {[0, 1, 2, 3, 4, 5].map((row) => (
        <div key={row} className={styles.bone} />
      ))}
    </div>
  );
}

/** The error, with what support needs to know. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const say = useTexts();
  const failure = error instanceof ApiFailure ? error : null;
  return (
    <div className={styles.failure} role="alert">
      <p>
        <ErrorText error={error} />
      </p>
      {failure === null ? null : (
        <p className={styles.code}>
          <code>{failure.code}</code>
          {failure.requestId === null ? null : ` · ${say("error.request", { id: failure.requestId })}`}
        </p>
      )}
      {onRetry === undefined ? null : (
        <button type="button" className={styles.retry} onClick={onRetry}>
          {say("error.retry")}
        </button>
      )}
    </div>
  );
}
