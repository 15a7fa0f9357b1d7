import { useQuery } from "@tanstack/react-query";
import { explain } from "../../../api/campaigns.ts";
import { OptOutCall } from "../../../records/opt-out-call.tsx";
import { useFormat } from "../../../texts/format.ts";
import { useLanguage, useTexts } from "../../../texts/language.tsx";
import { Failure } from "../../../ui/page.tsx";
import { Told } from "../../../ui/told.tsx";
import { en } from "../en.ts";
import { tr } from "../tr.ts";
import styles from "./drawer.module.css";
import type { DrawerProps } from "./drawer-props.ts";
import { EventName } from "./event-name.tsx";

/** The service's sentence, unchanged, and the events that it is based on. */
export function Why({ campaignId: id, contact, state, hold, at, look }: DrawerProps) {
  const say = useTexts({ en, tr });
  const { language } = useLanguage();
  const { moment } = useFormat();
  const why = useQuery({
    // The contact's state and hold are part of the key, because the explanation changes with them.
    queryKey: ["campaign", id, "explain", contact.id, at, state, hold?.rule, hold?.until, language],
    queryFn: ({ signal }) => explain({ id, contactId: contact.id, at: at ?? undefined }, language, signal),
    placeholderData: (before) => before,
  });
  const { data } = why;
  return (
    <section className={styles.why} aria-live="polite">
      <h3>{say("why")}</h3>
      {why.isError ? <Failure error={why.error} onRetry={() => void why.refetch()} /> : null}
      {data === undefined ? null : (
        <>
          <p data-testid="why" data-verdict={data.verdict} data-user-text="" dir="ltr">
            <Told sentence={data.sentence} />
          </p>
          <OptOutCall of={data} />
          {data.because.length === 0 ? null : (
            <ul className={styles.evidence}>
              {data.because.map((event) => (
                <li
                  key={event.position}
                  data-testid="evidence"
                  data-position={event.position}
                  data-type={event.type}
                >
                  <EventName type={event.type} />
                  <button type="button" className={styles.time} onClick={() => look(Date.parse(event.at))}>
                    {moment(event.at)}
                  </button>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  );
}
