import { ApiFailure } from "../api/request.ts";
import { type ErrorKey, en } from "../texts/errors/en.ts";
import { tr } from "../texts/errors/tr.ts";
import { useTexts } from "../texts/language.tsx";
import styles from "./page.module.css";

const TEXTS = { en, tr };
const keyOf = (code: string): ErrorKey => (Object.hasOwn(en, code) ? (code as ErrorKey) : "UNKNOWN");

/**
 * The error in the reader's language, then the service's own words in English; refused fields are
 * named by their labels.
 */
export function ErrorText({ error }: { readonly error: unknown }) {
  const say = useTexts(TEXTS);
  if (!(error instanceof ApiFailure)) return error instanceof Error ? error.message : String(error);
  return (
    <>
      <strong>{say(keyOf(error.code))}</strong>
      {error.code === "OFFLINE" || error.details.length > 0 ? null : (
        <span lang="en" className={styles.detail}>
          {error.message}
        </span>
      )}
      {error.details.map(({ path, message }) => (
        <span key={`${path.join(".")} ${message}`} className={styles.detail}>
          <FieldName path={path} /> <span lang="en">{message}</span>
        </span>
      ))}
    </>
  );
}

function FieldName({ path }: { readonly path: readonly (string | number)[] }) {
  const label = labelOf(path);
  if (label === null) return path.length === 0 ? null : <code>{path.join(".")}:</code>;
  return <b>{label}:</b>;
}

/** A control's name is the field of the API, so the page knows its label. */
function labelOf([first = "", ...rest]: readonly (string | number)[]): string | null {
  // What is beside a file stands in `settings`.
  const path = first === "settings" && rest.length > 0 ? rest : [first, ...rest];
  const named = (name: string) =>
    document.querySelector<HTMLInputElement>(`[name="${CSS.escape(name)}"]`) ?? null;
  const control = named(path.join(".")) ?? named(String(path[0] ?? ""));
  const group = control?.type === "checkbox" ? control.closest("fieldset")?.querySelector("legend") : null;
  return (group ?? control?.labels?.[0])?.textContent ?? null;
}
