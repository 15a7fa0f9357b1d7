import { useSyncExternalStore } from "react";
import styles from "./phone.module.css";

let place: HTMLElement | null = null;
const watchers = new Set<() => void>();

const becomes = (next: HTMLElement | null): void => {
  place = next;
  for (const watcher of watchers) watcher();
};

/** Where the page that is shown wants the phone; null: it has no place for it. */
export const usePhonePlace = (): HTMLElement | null =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => place,
  );

/** On a page that is about a call to this phone: it rings and talks here, beside nothing else. */
export function PhonePlace() {
  return <div className={styles.place} ref={becomes} />;
}
