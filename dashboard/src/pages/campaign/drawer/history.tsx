import { useQuery } from "@tanstack/react-query";
import type { ContactRecord } from "../../../../../contract/contact.ts";
import { contactEvents } from "../../../api/campaigns.ts";
import { UserText } from "../../../records/records.tsx";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { EndReason } from "../../calls/words.tsx";
import { en } from "../en.ts";
import { tr } from "../tr.ts";
import styles from "./drawer.module.css";
import type { DrawerProps } from "./drawer-props.ts";
import { EventName } from "./event-name.tsx";
import { Said } from "./said.tsx";

type ContactEvent = Awaited<ReturnType<typeof contactEvents>>[number];

/** The contact's history up to that moment, each dial with the evidence that it was allowed. */
export function History({ campaignId, contact, state, at, look }: DrawerProps) {
  const say = useTexts({ en, tr });
  const { data = [] } = useQuery({
    queryKey: ["campaign", campaignId, "contact-events", contact.id, state],
    queryFn: ({ signal }) => contactEvents(campaignId, contact.id, signal),
    placeholderData: (before) => before,
  });
  const shown = data.filter(
    ({ type, occurredAt }) => type.startsWith("Contact") && (at === null || occurredAt <= at),
  );
  if (shown.length === 0) return null;
  return (
    <section>
      <h3>{say("history")}</h3>
      <ol className={styles.history}>
        {shown.map((event) => (
          <Entry key={event.position} event={event} look={look} />
        ))}
      </ol>
    </section>
  );
}

function Entry({ event, look }: { readonly event: ContactEvent; readonly look: (at: number) => void }) {
  const say = useTexts({ en, tr });
  const { time, moment, there, seconds } = useFormat();
  const { type, occurredAt, data } = event;
  const text = (name: string) => String(data[name] ?? "");
  const { retryAt, callbackAt, zone, durationSeconds, attempt, endReason } = data;
  return (
    <li>
      <button
        type="button"
        className={styles.time}
        onClick={() => look(Date.parse(occurredAt))}
        title={`${time(occurredAt)} · ${occurredAt}`}
      >
        {moment(occurredAt)}
      </button>
      <div>
        <strong>
          <EventName type={type} />
          {attempt === undefined ? null : ` · ${say("attempt", { attempt: text("attempt") })}`}
        </strong>
        <div className={styles.detail}>
          {typeof endReason === "string" ? <EndReason endReason={endReason} /> : null}
          {typeof durationSeconds === "number" ? <span>{seconds(durationSeconds)}</span> : null}
          {typeof retryAt === "string" ? <span>{say("again-at", { at: moment(retryAt) })}</span> : null}
          {typeof callbackAt === "string" && typeof zone === "string" ? (
            <span>{say("callback.agreed", { at: there(callbackAt, zone), zone })}</span>
          ) : null}
          {typeof data["reason"] === "string" ? <Reason reason={data["reason"]} of={data} /> : null}
          {typeof data["rule"] === "string" ? <Hold rule={data["rule"]} of={data} /> : null}
          {data["optedOut"] === true ? <span>{say("opted-out.told")}</span> : null}
          <Evidence evidence={data["evidence"]} />
        </div>
        {type === "ContactDialed" && data["callId"] !== undefined ? <Said callId={text("callId")} /> : null}
      </div>
    </li>
  );
}

type Held = NonNullable<ContactRecord["hold"]>["rule"];
type Skipped = NonNullable<ContactRecord["skipReason"]>;

const SKIPPED = [
  "suppressed",
  "by_request",
  "outcome_unknown",
  "zone_unknown",
  "no_consent",
  "not_eligible",
] as const satisfies readonly Skipped[];
const HELD = [
  "attemptsPerNumber",
  "oneCallAtATime",
  "eligibility",
  "eligibility_unavailable",
] as const satisfies readonly Held[];

/** Why nobody is called any more, in words, with the list or the answer that says so. */
function Reason({ reason, of }: { readonly reason: string; readonly of: ContactEvent["data"] }) {
  const say = useTexts({ en, tr });
  const known = SKIPPED.find((each) => each === reason);
  const list = fieldOf(fieldOf(of["suppression"], "list"), "name");
  return known === undefined ? (
    <code>{reason}</code>
  ) : (
    <span data-value={reason}>
      {say(typeof list === "string" ? "skipped.on_list" : `skipped.${known}`)}{" "}
      <Words>{list ?? of["refusal"]}</Words>
    </span>
  );
}

/** The name of a list, or what the address that was asked says; nothing where that is no text. */
function Words({ children: said }: { readonly children: unknown }) {
  return typeof said === "string" ? <UserText>{said}</UserText> : null;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** What keeps somebody from being called for now, in words. */
function Hold({ rule, of }: { readonly rule: string; readonly of: ContactEvent["data"] }) {
  const say = useTexts({ en, tr });
  const { time } = useFormat();
  const known = HELD.find((each) => each === rule);
  const { until } = of;
  return known === undefined ? (
    <code>{rule}</code>
  ) : (
    <span data-value={rule}>
      {say(`held.${known}`, { at: typeof until === "string" ? time(until) : "–" })}{" "}
      <Words>{of["refusal"]}</Words>
    </span>
  );
}

function Evidence({ evidence }: { readonly evidence: unknown }) {
  const say = useTexts({ en, tr });
  const { number, credits } = useFormat();
  if (typeof evidence !== "object" || evidence === null) return null;
  const said: Readonly<Record<string, unknown>> = { ...evidence };
  const { localTime, timezone, activeCalls, effectiveMaxConcurrentCalls, availableCredits } = said;
  return (
    <span>
      {say("evidence", {
        localTime: String(localTime ?? "").slice(11, 16),
        timezone: String(timezone ?? ""),
        active: number(Number(activeCalls)),
        most: number(Number(effectiveMaxConcurrentCalls)),
        credits: credits(Number(availableCredits)),
      })}
    </span>
  );
}
