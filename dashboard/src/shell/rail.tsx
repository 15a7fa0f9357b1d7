import { useQueryClient } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import type { SessionRecord } from "../../../contract/session.ts";
import { allows, forget, signOut } from "../api/session.ts";
import { LiveDot } from "../live/live-dot.tsx";
import { useTexts } from "../texts/language.tsx";
import { Button } from "../ui/controls.tsx";
import { Icon } from "../ui/icons.tsx";
import layout from "../ui/layout.module.css";
import { Mark } from "../ui/mark.tsx";
import { LanguageChoice, ThemeChoice } from "./choices.tsx";
import { PLACES } from "./places.ts";
import styles from "./rail.module.css";

type RailProps = {
  readonly session: SessionRecord;
  readonly phone: ReactNode;
  readonly onSearch: () => void;
};

/** As the style sheets have it. */
const NARROW = "(max-width: 700px)";

const watchWidth = (watcher: () => void) => {
  const media = window.matchMedia(NARROW);
  media.addEventListener("change", watcher);
  return () => media.removeEventListener("change", watcher);
};

/** Links to all pages that the key may see; on a telephone one line, with the links behind its button. */
export function Rail({ session, phone, onSearch }: RailProps) {
  const say = useTexts();
  const isNarrow = useSyncExternalStore(watchWidth, () => window.matchMedia(NARROW).matches);
  const [isOpen, setOpen] = useMenu();
  return (
    <nav className={styles.rail} aria-label={say("nav.label")} data-open={isOpen}>
      <div className={styles.brand}>
        <Mark />
        <span>{say("app.name")}</span>
        {allows(session, "events:read") ? <LiveDot /> : null}
      </div>
      <div className={styles.always}>
        <Button
          className={styles.search}
          data-testid="open-palette"
          aria-keyshortcuts="Meta+K Control+K"
          onClick={onSearch}
        >
          <Icon of="search" />
          <span className={layout.heardOnPhone}>{say("nav.search")}</span>{" "}
          <kbd className={layout.heardOnPhone}>⌘K</kbd>
        </Button>
        {phone}
        <Button
          className={styles.more}
          data-testid="menu"
          aria-label={say("nav.menu")}
          aria-expanded={isOpen}
          aria-controls="places"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon of={isOpen ? "close" : "menu"} />
        </Button>
      </div>
      <div id="places" className={styles.sheet} inert={isNarrow && !isOpen}>
        <Places session={session} />
        <Foot session={session} />
      </div>
    </nav>
  );
}

/** The menu of a telephone: closed by Esc and by another page. */
function useMenu() {
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what changes
  useEffect(() => setOpen(false), [path]);
  useEffect(() => {
    if (!isOpen) return;
    const pressed = ({ key }: KeyboardEvent) => {
      if (key === "Escape") setOpen(false);
    };
    document.addEventListener("keydown", pressed);
    return () => document.removeEventListener("keydown", pressed);
  }, [isOpen]);
  return [isOpen, setOpen] as const;
}

function Places({ session }: { readonly session: SessionRecord }) {
  const say = useTexts();
  return (
    <div className={styles.groups}>
      {PLACES.map(({ text, places }) => {
        const open = places.filter(({ scope }) => scope === null || allows(session, scope));
        if (open.length === 0) return null;
        return (
          <div key={text} className={styles.group}>
            <div className={styles.heading}>{say(text)}</div>
            {open.map((place) => (
              <Link
                key={place.path}
                to={place.path}
                className={styles.link}
                activeOptions={{ exact: place.path === "/" }}
              >
                <Icon of={place.path} />
                {say(place.text)}
              </Link>
            ))}
          </div>
        );
      })}
    </div>
  );
}

function Foot({ session }: { readonly session: SessionRecord }) {
  const say = useTexts();
  const queries = useQueryClient();
  const leave = async () => {
    await signOut();
    forget(queries);
  };
  return (
    <div className={styles.foot}>
      <span className={styles.owner} data-user-text="" title={`${session.owner.name} · ${session.keyName}`}>
        {session.owner.name} · {session.keyName}
      </span>
      <Button data-testid="sign-out" onClick={leave}>
        {say("signout")}
      </Button>
      <LanguageChoice />
      <ThemeChoice />
    </div>
  );
}
