import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { get } from "../../api/request.ts";
import { Fault, Figure, Muted } from "../../records/records.tsx";
import { useAllowed } from "../../records/use-allowed.ts";
import { useRefresh } from "../../records/use-refresh.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Panel } from "../../ui/controls.tsx";
import { EndReason } from "../calls/words.tsx";
import styles from "./overview.module.css";
import { daysLeft, SELDOM, today } from "./overview-api.ts";
import { TEXTS } from "./texts.ts";

const DAYS_OF_YEAR = 365;
const DAYS_MILLIS = 60_000;
/** The others are in the list of calls. */
const MOST_ENDINGS = 5;

const moves = ({ type }: { readonly type: string }) => type.startsWith("Call");

/** The plan's concurrent calls: how many are in use. */
export function Lines() {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const path = "/api/v1/limits";
  const limits = useQuery({ queryKey: [path], queryFn: ({ signal }) => get(path, { signal }) });
  useRefresh(path, moves);
  if (limits.data === undefined) return <Pending title={say("lines")} error={limits.error} />;
  const { activeCalls: active, maxConcurrentCalls: most } = limits.data;
  return (
    <Panel>
      <Figure name={say("lines")} count="activeCalls" value={active}>
        {say("lines.of", { active: number(active), most: number(most) })}
      </Figure>
      <meter className={styles.meter} min={0} max={most} value={active} aria-label={say("lines")} />
    </Panel>
  );
}

/** null: nothing was spent yet. */
export function useCreditDays() {
  const path = "/api/v1/account";
  const enabled = useAllowed()("account:read");
  const account = useQuery({ queryKey: [path], queryFn: ({ signal }) => get(path, { signal }), enabled });
  useRefresh(path, moves, SELDOM);
  const available = account.data?.available ?? 0;
  const days = useQuery({
    queryKey: ["days-left"],
    queryFn: ({ signal }) => daysLeft(available, signal),
    enabled: account.data !== undefined,
    // Every call changes the balance, but hardly how long it lasts.
    staleTime: DAYS_MILLIS,
    refetchInterval: DAYS_MILLIS,
  });
  return { account, available, days: days.data };
}

export function Credits() {
  const say = useTexts(TEXTS);
  const { credits, number } = useFormat();
  const { account, available, days } = useCreditDays();
  if (account.data === undefined) return <Pending title={say("credits")} error={account.error} />;
  const caption = () => {
    if (days === undefined) return "";
    if (days === null) return say("credits.unspent");
    if (days > DAYS_OF_YEAR) return say("credits.more");
    return days < 1 ? say("credits.less") : say("credits.days", { days: number(Math.floor(days)) });
  };
  return (
    <Panel>
      <Figure name={say("credits")} count="available" value={available}>
        <Link to="/credits">{credits(available)}</Link>
      </Figure>
      <Muted>{caption()}</Muted>
    </Panel>
  );
}

export function Today() {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const counted = useQuery({ queryKey: ["calls-today"], queryFn: ({ signal }) => today(signal) });
  useRefresh("calls-today", moves, SELDOM);
  if (counted.data === null) return null;
  if (counted.data === undefined) return <Pending title={say("today")} error={counted.error} />;
  const { calls, endings } = counted.data;
  const most = endings[0]?.[1] ?? 1;
  return (
    <Panel>
      <Figure name={say("today")} count="callsToday" value={calls}>
        <Link to="/calls">{number(calls)}</Link>
      </Figure>
      {endings.length === 0 ? null : (
        <ul className={styles.endings} aria-label={say("endings")}>
          {endings.slice(0, MOST_ENDINGS).map(([reason, count]) => (
            <li key={reason} data-end-reason={reason} data-value={count}>
              <EndReason endReason={reason} />
              <i style={{ width: `${(count / most) * 100}%` }} />
              <span>{number(count)}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Pending({ title, error }: { readonly title: string; readonly error: unknown }) {
  return (
    <Panel title={title}>
      <Fault error={error} />
    </Panel>
  );
}
