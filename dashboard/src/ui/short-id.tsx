import { CopyButton } from "./copy-button.tsx";
import styles from "./page.module.css";

const BEGIN = 8;
const END = 4;

/** The begin and the end of an id. */
export const shortened = (id: string): string => `${id.slice(0, BEGIN)}…${id.slice(-END)}`;

/** An id as far as one compares it by eye, with the whole of it to copy. */
export function ShortId({ id }: { readonly id: string }) {
  return (
    <span className={styles.id}>
      <code title={id} dir="ltr">
        {shortened(id)}
      </code>
      <CopyButton text={id} label={id} />
    </span>
  );
}
