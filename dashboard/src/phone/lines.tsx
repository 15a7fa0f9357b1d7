import { useEffect, useRef } from "react";
import { UserText } from "../records/records.tsx";
import { useTexts } from "../texts/language.tsx";
import styles from "./phone.module.css";
import type { Line } from "./phone-state.ts";
import { TEXTS } from "./texts.ts";

/** The conversation, as far as it was shown or spoken. */
export function Lines({ lines, name }: { readonly lines: readonly Line[]; readonly name: string }) {
  const say = useTexts(TEXTS);
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said last is seen
  useEffect(() => {
    const list = end.current?.parentElement;
    list?.scrollTo({ top: list.scrollHeight });
  }, [lines]);
  const speaker = { assistant: name, customer: say("you"), digits: say("pressed") };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div className={styles.lines} role="group" tabIndex={0} aria-label={say("talk")} aria-live="polite">
      {lines.map(({ role, text, shown, cut }, place) =>
        shown === 0 ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
          <p key={place} className={`${styles.line} ${styles[role]}`} data-role={role} data-cut={cut}>
            <span className={styles.who} dir="auto" data-user-text="">
              {speaker[role]}
            </span>
            <UserText>{text.slice(0, shown)}</UserText>
            {cut ? <span className={styles.who}> – {say("cut")}</span> : null}
          </p>
        ),
      )}
      <div ref={end} />
    </div>
  );
}
