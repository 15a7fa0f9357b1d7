import { useQuery } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { sessionQuery } from "../api/session.ts";
import { SignIn } from "../pages/sign-in/sign-in.tsx";
import { useTexts } from "../texts/language.tsx";
import { Page } from "../ui/page.tsx";
import { useGoKeys } from "./go-keys.ts";
import styles from "./rail.module.css";
import { Rail } from "./rail.tsx";

/** Signed out, every path shows the sign-in and goes on there afterwards. */
export function Frame() {
  const say = useTexts();
  useGoKeys();
  const session = useQuery(sessionQuery);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // A new page begins at its heading, also for whoever does not see it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what changes
  useEffect(() => {
    document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
  }, [path]);
  if (session.isPending) return <Page name="session" title={say("app.name")} state="loading" />;
  if (session.isError)
    return (
      <Page
        name="session"
        title={say("app.name")}
        state="error"
        failure={session.error}
        onRetry={() => void session.refetch()}
      />
    );
  if (session.data === null) return <SignIn />;
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#page">
        {say("nav.skip")}
      </a>
      <Rail session={session.data} />
      <Outlet />
    </div>
  );
}
