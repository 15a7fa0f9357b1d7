import { useQuery } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import type { SessionRecord } from "../../../contract/session.ts";
import { allows, sessionQuery } from "../api/session.ts";
import { SignIn } from "../pages/sign-in/sign-in.tsx";
import { PhoneButton } from "../phone/phone-button.tsx";
import { openPhone } from "../phone/phone-line.ts";
import { useTexts } from "../texts/language.tsx";
import { Page } from "../ui/page.tsx";
import type { Extra } from "./extras.tsx";
import { useGlobalKeys } from "./global-keys.ts";
import styles from "./rail.module.css";
import { Rail } from "./rail.tsx";

/** Without a session every path shows the sign-in, and continues to the path afterwards. */
export function Frame() {
  const say = useTexts();
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
  return <SignedIn key={session.data.keyId} session={session.data} />;
}

const Extras = lazy(() => import("./extras.tsx").then(({ Extras }) => ({ default: Extras })));
const Dock = lazy(() => import("../phone/dock.tsx").then(({ Dock }) => ({ default: Dock })));

function SignedIn({ session }: { readonly session: SessionRecord }) {
  const say = useTexts();
  const [isPhoneShown, setPhoneShown] = useState(false);
  const [extra, show] = useState<Extra | null>(null);
  useGlobalKeys({ palette: () => show("palette"), help: () => show("help") });
  const hasPhone = allows(session, "calls:write");
  useEffect(() => (hasPhone ? openPhone() : undefined), [hasPhone]);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#page">
        {say("nav.skip")}
      </a>
      <Rail
        session={session}
        onSearch={() => show("palette")}
        phone={
          hasPhone ? <PhoneButton isShown={isPhoneShown} onShow={() => setPhoneShown(!isPhoneShown)} /> : null
        }
      />
      <Outlet />
      {extra === null ? null : (
        <Suspense>
          <Extras shown={extra} session={session} show={show} openPhone={() => setPhoneShown(true)} />
        </Suspense>
      )}
      {hasPhone ? (
        <Suspense>
          <Dock isShown={isPhoneShown} onClose={() => setPhoneShown(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
