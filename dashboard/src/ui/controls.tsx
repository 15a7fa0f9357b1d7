import {
  type ButtonHTMLAttributes,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useEffect,
  useId,
  useRef,
} from "react";
import { useTexts } from "../texts/language.tsx";
import styles from "./controls.module.css";
import { Icon } from "./icons.tsx";

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly look?: "plain" | "strong" | "danger" | "grave";
};

export function Button({ look = "plain", className, type = "button", ...rest }: ButtonProps) {
  return <button type={type} className={[styles.button, styles[look], className].join(" ")} {...rest} />;
}

/** For a link that is the next step, not a reference. */
export const LINK_BUTTON = [styles.button, styles.strong, styles.link].join(" ");
/** For a link among commands, to look as they do. */
export const PLAIN_LINK = [styles.button, styles.plain, styles.link].join(" ");

type Labels = { readonly label: ReactNode; readonly hint?: ReactNode; readonly fault?: ReactNode };

/** A labelled control: `name` is the field of the API. */
export function Field({ label, hint, fault, ...input }: Labels & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Labelled label={label} hint={hint} fault={fault}>
      {(ids) => <input className={styles.input} {...ids} {...input} />}
    </Labelled>
  );
}

export function TextField({
  label,
  hint,
  fault,
  ...input
}: Labels & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Labelled label={label} hint={hint} fault={fault}>
      {(ids) => <textarea className={styles.input} rows={4} {...ids} {...input} />}
    </Labelled>
  );
}

export function Choice({
  label,
  hint,
  fault,
  children,
  ...input
}: Labels & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Labelled label={label} hint={hint} fault={fault}>
      {(ids) => (
        <select className={styles.input} {...ids} {...input}>
          {children}
        </select>
      )}
    </Labelled>
  );
}

export function Check({
  label,
  ...input
}: { readonly label: ReactNode } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className={styles.check}>
      <input type="checkbox" {...input} />
      <span>{label}</span>
    </label>
  );
}

/** Checks side by side, each a chip. Without a label they stand in a group that has one. */
export function Chips({ label, children }: { readonly label?: string; readonly children: ReactNode }) {
  if (label === undefined) return <div className={styles.chips}>{children}</div>;
  return (
    <fieldset className={styles.chips} aria-label={label}>
      {children}
    </fieldset>
  );
}

type Ids = { readonly id: string; readonly "aria-describedby"?: string; readonly "aria-invalid"?: true };

function Labelled({ label, hint, fault, children }: Labels & { readonly children: (ids: Ids) => ReactNode }) {
  const id = useId();
  const hintId = `${id}-told`;
  const hasHint = hint !== undefined || fault !== undefined;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(hasHint ? { "aria-describedby": hintId } : {}),
        ...(fault === undefined ? {} : { "aria-invalid": true as const }),
      })}
      {hasHint ? (
        <div id={hintId} className={fault === undefined ? styles.hint : styles.fault}>
          {fault === undefined ? hint : <span role="alert">{fault}</span>}
        </div>
      ) : null}
    </div>
  );
}

/** A modal dialog; `onClose` also at Esc. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const say = useTexts();
  const heading = useId();
  useEffect(() => {
    if (ref.current?.open === false) ref.current.showModal();
  }, []);
  return (
    <dialog ref={ref} className={styles.dialog} aria-labelledby={heading} onClose={onClose}>
      <div className={styles.dialogHead}>
        <h2 id={heading}>{title}</h2>
        <Button
          className={styles.small}
          aria-label={say("dialog.close")}
          onClick={() => ref.current?.close()}
        >
          <Icon of="close" />
        </Button>
      </div>
      {children}
    </dialog>
  );
}

/** A status or a kind in one word. */
export function Badge({
  tone = "quiet",
  children,
  ...rest
}: {
  readonly tone?: "quiet" | "good" | "bad" | "wait" | "accent";
  readonly children: ReactNode;
} & Readonly<Record<`data-${string}`, string>>) {
  return (
    <span className={[styles.badge, styles[tone]].join(" ")} {...rest}>
      {children}
    </span>
  );
}

/** A surface with its own heading. */
export function Panel({
  title,
  actions,
  children,
}: {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className={styles.panel}>
      {title === undefined && actions === undefined ? null : (
        <div className={styles.panelHead}>
          <h2>{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}
