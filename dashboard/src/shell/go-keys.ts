import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { PLACES } from "./places.ts";

const GOES: Readonly<Record<string, string>> = { c: "/campaigns", l: "/calls" };
const WITHIN_MILLIS = 1_500;

/** `g c` and `g l`: to the campaigns, to the calls. */
export function useGoKeys(): void {
  const { history } = useRouter();
  useEffect(() => {
    let pressedAt = Number.NEGATIVE_INFINITY;
    const pressed = ({ key, target, ctrlKey, metaKey, altKey, timeStamp }: KeyboardEvent) => {
      const isTyping = target instanceof HTMLElement && target.matches("input, select, textarea");
      if (isTyping || ctrlKey || metaKey || altKey) return;
      const path = timeStamp - pressedAt < WITHIN_MILLIS ? GOES[key] : undefined;
      pressedAt = key === "g" ? timeStamp : Number.NEGATIVE_INFINITY;
      const isThere = PLACES.some(({ places }) => places.some((place) => place.path === path));
      if (path !== undefined && isThere) history.push(path);
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [history]);
}
