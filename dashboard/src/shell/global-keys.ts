import { useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { PLACES } from "./places.ts";

const GOES: Readonly<Record<string, string>> = { c: "/campaigns", l: "/calls" };
const WITHIN_MILLIS = 1_500;

export type GlobalActions = { readonly palette: () => void; readonly help: () => void };

/**
 * Shortcuts of every page: ⌘K or Ctrl+K, and while no text is typed and no dialog is open `/`,
 * `?`, `g c` and `g l`.
 */
export function useGlobalKeys(actions: GlobalActions): void {
  const { history } = useRouter();
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    let pressedAt = Number.NEGATIVE_INFINITY;
    const pressed = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey, timeStamp } = event;
      const isDialogOpen = document.querySelector("dialog[open]") !== null;
      if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") {
        event.preventDefault();
        if (!isDialogOpen) latest.current.palette();
        return;
      }
      const isTyping = target instanceof HTMLElement && target.matches("input, select, textarea");
      if (isTyping || isDialogOpen || ctrlKey || metaKey || altKey) return;
      const path = timeStamp - pressedAt < WITHIN_MILLIS ? GOES[key] : undefined;
      pressedAt = key === "g" ? timeStamp : Number.NEGATIVE_INFINITY;
      const isThere = PLACES.some(({ places }) => places.some((place) => place.path === path));
      if (path !== undefined && isThere) return history.push(path);
      if (key !== "/" && key !== "?") return;
      event.preventDefault();
      if (key === "?") return latest.current.help();
      const search = document.querySelector<HTMLInputElement>('main input[name="q"]');
      if (search === null) latest.current.palette();
      else search.focus();
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [history]);
}
