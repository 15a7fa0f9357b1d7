import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { VerificationRecord } from "../../../../../contract/verification.ts";
import { filled, get } from "../../../api/request.ts";
import { PolicySaid } from "../../../policy/policy-said.tsx";
import { Fault, Muted } from "../../../records/records.tsx";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Badge } from "../../../ui/controls.tsx";
import { STACK, TEXTS } from "../texts.ts";
import { Violations } from "./violations.tsx";

export const VERIFICATIONS = "/api/v1/policy/verifications";

const ASKED_AGAIN_MILLIS = 1_000;
const TONES = { queued: "wait", running: "accent", done: "good", failed: "bad" } as const;

type Status = VerificationRecord["status"];
const isUnderWay = (status: Status | undefined) => status === "queued" || status === "running";

/** How far it is, and what it found. */
export function Verification({ id }: { readonly id: string }) {
  const queries = useQueryClient();
  const { data, error } = useQuery({
    queryKey: [VERIFICATIONS, id],
    queryFn: ({ signal }) => get(`${VERIFICATIONS}/:id`, { params: { id }, signal }),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.status) ? ASKED_AGAIN_MILLIS : false),
  });
  const status = data?.status;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list says the status, too
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: [VERIFICATIONS, { limit: 10 }] });
  }, [status]);
  if (data === undefined) return <Fault error={error} />;
  return <Found of={data} />;
}

function Found({ of }: { readonly of: VerificationRecord }) {
  const say = useTexts(TEXTS);
  const { number, time } = useFormat();
  const { id, status, progress, policy, version, from, until, dials, violations, unverifiable } = of;
  const bounds = { from: from === null ? say("past.first") : time(from), until: time(until) };
  return (
    <section
      className={STACK}
      aria-label={say("past")}
      data-testid="verification"
      data-status={status}
      data-violations={violations.count}
    >
      <p>
        <StatusOf of={of} />{" "}
        {say("past.of", { policy: say(`past.${typeof policy === "string" ? policy : "typed"}`), ...bounds })}{" "}
        {version === null || version === 0 ? null : say("past.version", { version })}
      </p>
      {typeof policy === "string" ? null : <PolicySaid policy={policy} />}
      {isUnderWay(status) ? (
        <progress style={{ width: "100%" }} value={progress} aria-label={say(`status.${status}`)} />
      ) : null}
      {of.problem === null ? null : (
        <p role="alert" lang="en">
          {of.problem}
        </p>
      )}
      <p role="status">
        <strong>
          {say(violations.count === 0 ? "past.none" : "past.found", {
            dials: number(dials),
            count: number(violations.count),
          })}
        </strong>
      </p>
      {violations.count === 0 ? null : (
        <>
          <Violations of={violations} />
          <a
            href={filled(`${VERIFICATIONS}/:id/violations.csv`, { id })}
            download
            data-testid="violations-csv"
          >
            {say("past.csv")}
          </a>
        </>
      )}
      {unverifiable.length === 0 ? null : <Unverifiable of={unverifiable} />}
    </section>
  );
}

export function StatusOf({
  of: { status, progress },
}: {
  readonly of: Pick<VerificationRecord, "status" | "progress">;
}) {
  const say = useTexts(TEXTS);
  const { percent } = useFormat();
  return (
    <Badge tone={TONES[status]} data-status={status}>
      {say(`status.${status}`)}
      {status === "running" ? ` ${percent(progress)}` : null}
    </Badge>
  );
}

/** What the log does not tell of some dials: no violations. */
function Unverifiable({ of }: { readonly of: VerificationRecord["unverifiable"] }) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  return (
    <div data-testid="unverifiable">
      <Muted>{say("past.unverifiable")}</Muted>
      <ul>
        {of.map(({ rule, why, count }) => (
          <li key={`${rule} ${why}`}>
            {say(`violated.${rule}`)}: {say(`unverifiable.${why}`, { count: number(count) })}
          </li>
        ))}
      </ul>
    </div>
  );
}
