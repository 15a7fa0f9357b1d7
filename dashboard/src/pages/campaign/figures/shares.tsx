import styles from "./figures.module.css";

type SharesProps = {
  readonly reached: number;
  readonly failed: number;
  readonly waiting: number;
  readonly active: number;
  readonly pending: number;
  readonly skipped: number;
};

/** Shares of contacts by state as one line, with numbers. */
export function Shares({ reached, failed, waiting, active, pending, skipped }: SharesProps) {
  const parts = [
    ["succeeded", reached],
    ["failed", failed],
    ["waiting_retry", waiting],
    ["dialing", active],
    ["pending", pending],
    ["skipped", skipped],
  ] as const;
  return <div className={styles.shares} aria-hidden="true" style={{ background: stripes(parts) }} />;
}

/**
 * One background instead of a box for each share: growing boxes would move those after them at every paint.
 */
function stripes(parts: readonly (readonly [state: string, count: number])[]): string {
  const total = parts.reduce((sum, [, count]) => sum + count, 0);
  let from = 0;
  const stops = parts.flatMap(([state, count]) => {
    if (count === 0) return [];
    const to = from + (count / total) * 100;
    const stop = `var(--${state}) ${from}% ${to}%`;
    from = to;
    return [stop];
  });
  return stops.length === 0 ? "var(--line)" : `linear-gradient(to right, ${stops.join(", ")})`;
}
