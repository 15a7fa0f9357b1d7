import { useQueryClient } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import type { SessionRecord } from "../../../contract/session.ts";
import { allows, forget, signOut } from "../api/session.ts";
import { LiveDot } from "../live/live-dot.tsx";
import { useTexts } from "../texts/language.tsx";
import { Button } from "../ui/controls.tsx";
import { LanguageChoice, ThemeChoice } from "./choices.tsx";
import { Icon } from "./icons.tsx";
import { PLACES } from "./places.ts";
import styles from "./rail.module.css";

/** Links to all pages that the key may see. */
export function Rail({
  session,
  phone,
  onSearch,
}: {
  readonly session: SessionRecord;
  readonly phone: ReactNode;
  readonly onSearch: () => void;
}) {
  const say = useTexts();
  const queries = useQueryClient();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // On a narrow screen the pages stand on one line that scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what changes
  useEffect(() => {
    document.querySelector("nav a.active")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [path]);
  const leave = async () => {
    await signOut();
    forget(queries);
  };
  return (
    <nav className={styles.rail} aria-label={say("nav.label")}>
      <div className={styles.brand}>
        <img src={mark} alt="" width={26} height={26} />
        <span>{say("app.name")}</span>
        {allows(session, "events:read") ? <LiveDot /> : null}
      </div>
      <Button
        className={styles.search}
        data-testid="open-palette"
        aria-keyshortcuts="Meta+K Control+K"
        onClick={onSearch}
      >
        <Icon of="search" />
        {say("nav.search")} <kbd>⌘K</kbd>
      </Button>
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
      <div className={styles.foot}>
        <span className={styles.owner} data-user-text="" title={`${session.owner.name} · ${session.keyName}`}>
          {session.owner.name} · {session.keyName}
        </span>
        {phone}
        <Button data-testid="sign-out" onClick={leave}>
          {say("signout")}
        </Button>
        <LanguageChoice />
        <ThemeChoice />
      </div>
    </nav>
  );
}

const mark = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26"><g fill="none" stroke="#4a42dd" stroke-width="2.4"><circle cx="13" cy="13" r="11" opacity=".45"/><circle cx="13" cy="13" r="6.5"/></g><circle cx="13" cy="13" r="2.6" fill="#4a42dd"/></svg>',
)}`;
