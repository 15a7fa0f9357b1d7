import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAllowed } from "../../records/use-allowed.ts";
import { useTexts } from "../../texts/language.tsx";
import { LINK_BUTTON } from "../../ui/controls.tsx";
import { TEXTS } from "./words.tsx";

/** Shown before the first call: how to make it. */
export function NoCall({ children }: { readonly children?: ReactNode }) {
  const say = useTexts(TEXTS);
  return (
    <>
      <p>{children ?? say("empty")}</p>
      {useAllowed()("calls:write") ? (
        <Link to="/welcome" className={LINK_BUTTON}>
          {say("empty.first")}
        </Link>
      ) : null}
    </>
  );
}
