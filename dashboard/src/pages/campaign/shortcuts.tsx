import { useEffect, useRef } from "react";
import { useTexts } from "../../texts/language.tsx";
import { Dialog } from "../../ui/controls.tsx";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

export const KEYS = ["/", "p", "l", ",", ".", "[", "]", "d", "e", "?", "Escape"] as const;
export type Key = (typeof KEYS)[number];

const isKey = (key: string): key is Key => KEYS.some((each) => each === key);

/** Keys that do something on this page while nothing is typed and no dialog is open. */
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

export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  const say = useTexts({ en, tr });
  return (
    <Dialog title={say("keys")} onClose={onClose}>
      <dl style={{ display: "grid", gridTemplateColumns: "auto 1fr", gap: "6px 16px", margin: 0 }}>
        {KEYS.map((key) => (
          <div key={key} style={{ display: "contents" }}>
            <dt>
              <kbd>{key === "Escape" ? "Esc" : key}</kbd>
            </dt>
            <dd style={{ margin: 0 }}>{say(`key.${key}`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
