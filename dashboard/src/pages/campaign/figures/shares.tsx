import styles from "./figures.module.css";

type SharesProps = {
  readonly reached: number;
  readonly failed: number;
  readonly waiting: number;
  readonly active: number;
  readonly pending: number;
  readonly skipped: number;
};

/** How the contacts stand, as shares of one line; the numbers stand beside it. */
export function Shares({ reached, failed, waiting, active, pending, skipped }: SharesProps) {
  const parts = [
    ["succeeded", reached],
    ["failed", failed],
    ["waiting_retry", waiting],
    ["dialing", active],
    ["pending", pending],
    ["skipped", skipped],
  ] as const;
  return (
    <div className={styles.shares} aria-hidden="true">
      {parts.map(([state, count]) =>
        count === 0 ? null : <span key={state} className={styles[state]} style={{ flexGrow: count }} />,
      )}
    </div>
  );
}
