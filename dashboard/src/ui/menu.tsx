import { type ReactNode, useId, useRef } from "react";
import styles from "./controls.module.css";
import { Icon } from "./icons.tsx";

/** Further commands behind one button; closed by Esc, by a press beside it, and by a choice. */
export function Menu({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const place = () => {
    const { current } = list;
    const at = button.current?.getBoundingClientRect();
    if (current === null || at === undefined) return;
    const { clientWidth } = document.documentElement;
    const isAtStart = at.left + at.right < clientWidth;
    // Under its button, towards the middle of the window: on a telephone the button may stand on either side.
    current.style.top = `${at.bottom + 4}px`;
    current.style.left = isAtStart ? `${Math.max(8, at.left)}px` : "auto";
    current.style.right = isAtStart ? "auto" : `${Math.max(8, clientWidth - at.right)}px`;
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={[styles.button, styles.plain].join(" ")}
        popoverTarget={id}
        data-testid="more-commands"
      >
        {label} <Icon of="down" isSmall />
      </button>
      <div ref={list} id={id} popover="auto" className={styles.menu} onBeforeToggle={place}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: what is chosen is a button or a link in it */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a button is a click */}
        <div className={styles.menuList} onClick={() => list.current?.hidePopover()}>
          {children}
        </div>
      </div>
    </>
  );
}
