import { CopyButton } from "./copy-button.tsx";
import styles from "./page.module.css";

const BEGIN = 8;
const END = 4;

/** An id as far as one compares it by eye, with the whole of it to copy. */
export function ShortId({ id }: { readonly id: string }) {
  return (
    <span className={styles.id}>
      <code title={id} dir="ltr">
        {id.slice(0, BEGIN)}…{id.slice(-END)}
      </code>
      <CopyButton text={id} label={id} />
    </span>
  );
}
