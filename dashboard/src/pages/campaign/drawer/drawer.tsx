import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";
import type { ContactRecord } from "../../../../../contract/contact.ts";
import { contactRecord } from "../../../api/campaigns.ts";
import { SuccessBadge, useOutcomeText } from "../../../records/outcome.tsx";
import { useAllowed } from "../../../records/use-allowed.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button } from "../../../ui/controls.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { OptedOutBadge, StateBadge } from "../contacts/state-badge.tsx";
import { en } from "../en.ts";
import type { ContactBrought } from "../outcomes/wanted.ts";
import { CALLBACK } from "../states.ts";
import { tr } from "../tr.ts";
import { ContactCommands } from "./contact-commands.tsx";
import styles from "./drawer.module.css";
import type { DrawerProps } from "./drawer-props.ts";
import { History } from "./history.tsx";
import { Why } from "./why.tsx";

/** Everything about one contact at the selected moment. */
export function Drawer(props: DrawerProps) {
  const { contact, state, optedOut, callbackAt, close, at } = props;
  const say = useTexts({ en, tr });
  const frame = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <aside className={styles.drawer} aria-label={say("contact")} data-testid="drawer">
      <div className={styles.head}>
        <div>
          <h2 ref={heading} tabIndex={-1} dir="auto" data-user-text="">
            {contact.name ?? contact.phoneNumber}
          </h2>
          <p dir="ltr">
            <Link to="/numbers/$number" params={{ number: contact.phoneNumber }}>
              {contact.phoneNumber}
            </Link>
          </p>
        </div>
        <Button aria-label={frame("dialog.close")} onClick={close}>
          <Icon of="close" />
        </Button>
      </div>
      <p>
        {state === null ? null : <StateBadge state={callbackAt === null ? state : CALLBACK} />}
        {optedOut ? <OptedOutBadge /> : null}
      </p>
      {callbackAt === null ? null : <Callback {...props} callbackAt={callbackAt} />}
      {props.brought === undefined ? null : <BroughtHome of={props.brought} />}
      <Why {...props} />
      {at === null ? <ContactCommands {...props} /> : null}
      <History {...props} />
      <CustomData contact={contact} />
    </aside>
  );
}

type CallbackProps = DrawerProps & { readonly callbackAt: number };

/** When they are called as they agreed, on their own clock, and the call on which they did. */
function Callback({ campaignId: id, contact, callbackAt, timezone, at }: CallbackProps) {
  const say = useTexts({ en, tr });
  const { there, time } = useFormat();
  const seesCalls = useAllowed()("calls:read");
  const { data } = useQuery({
    queryKey: ["campaign", id, "contact", contact.id, callbackAt],
    queryFn: ({ signal }) => contactRecord(id, contact.id, signal),
    enabled: seesCalls,
  });
  const agreed = data?.attempts.findLast(({ startedAt }) => at === null || startedAt <= at);
  return (
    <p data-testid="callback">
      <time dateTime={new Date(callbackAt).toISOString()} title={time(callbackAt)}>
        {say("callback.agreed", { at: there(callbackAt, timezone), zone: timezone })}
      </time>
      {agreed === undefined ? null : (
        <>
          {" · "}
          <Link to="/calls/$id" params={{ id: agreed.callId }}>
            {say("callback.call")}
          </Link>
        </>
      )}
    </p>
  );
}

/** Each value leads to the words on the call that prove it. */
function BroughtHome({ of: { callId, success, fields } }: { readonly of: ContactBrought }) {
  const say = useTexts({ en, tr });
  const textOf = useOutcomeText();
  return (
    <section data-testid="brought">
      <h3>
        {say("brought.one")} <SuccessBadge success={success} />
      </h3>
      <dl className={styles.data}>
        {Object.entries(fields).map(([name, value]) => (
          <div key={name}>
            <dt data-user-text="" dir="auto">
              {name}
            </dt>
            <dd>
              {value === null ? (
                "–"
              ) : (
                <Link to="/calls/$id" params={{ id: callId }} search={{ proof: name }} data-proof={name}>
                  <span data-user-text="" dir="auto">
                    {textOf(value)}
                  </span>
                </Link>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function CustomData({ contact }: { readonly contact: ContactRecord }) {
  const say = useTexts({ en, tr });
  const fields: readonly (readonly [string, ReactNode])[] = [
    ...(contact.externalId === null ? [] : [["externalId", contact.externalId] as const]),
    ...(contact.timezone === null ? [] : [["timezone", contact.timezone] as const]),
    ...Object.entries(contact.customData).map(([key, value]) => [key, textOf(value)] as const),
  ];
  if (fields.length === 0) return null;
  return (
    <section>
      <h3>{say("custom-data")}</h3>
      <dl className={styles.data}>
        {fields.map(([key, value]) => (
          <div key={key}>
            <dt dir="auto" data-user-text="">
              {key}
            </dt>
            <dd dir="auto" data-user-text="">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
