import { useSyncExternalStore } from "react";

/** As the style sheets have it. */
const NARROW = "(max-width: 700px)";

const watch = (watcher: () => void) => {
  const media = window.matchMedia(NARROW);
  media.addEventListener("change", watcher);
  return () => media.removeEventListener("change", watcher);
};

/** Whether the page is shown on a telephone, or as wide: there some things stand behind a button. */
export const useNarrow = (): boolean => useSyncExternalStore(watch, () => window.matchMedia(NARROW).matches);
