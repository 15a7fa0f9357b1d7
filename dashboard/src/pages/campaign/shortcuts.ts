import { useEffect, useRef } from "react";

const KEYS = ["p", "l", ",", ".", "[", "]", "d", "e", "Escape"] as const;
type Key = (typeof KEYS)[number];

const isKey = (key: string): key is Key => KEYS.some((each) => each === key);

/** Keyboard shortcuts of this page, active while no text is typed and no dialog is open. */
export function useShortcuts(actions: Readonly<Record<Key, () => void>>): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !isKey(event.key)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      const { target } = event;
      const isTyping = target instanceof HTMLElement && target.matches("input, select, textarea");
      if (isTyping && event.key !== "Escape") return;
      event.preventDefault();
      latest.current[event.key]();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, []);
}
