import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SuppressionChange, SuppressionHistoryRecord } from "../../../../contract/suppression.ts";
import { ApiFailure, ask, get } from "../../api/request.ts";
import { useListKind } from "../../policy/list-kind.tsx";
import { Form, Muted, Row, Table, textOf, UserText } from "../../records/records.tsx";
import { typedNumber } from "../../records/typed-number.ts";
import { useAllowed } from "../../records/use-allowed.ts";
import { useCommand } from "../../records/use-command.ts";
import { ALL, useList } from "../../records/use-list.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Dialog, Field } from "../../ui/controls.tsx";
import { Failure } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { Source, useReason } from "./source.tsx";
import { OWN_LIST, PATH, TEXTS } from "./texts.ts";

/** What was done with one number; null: the reader says which, also one that was taken off. */
export function HistoryDialog({
  phoneNumber,
  onClose,
}: {
  readonly phoneNumber: string | null;
  readonly onClose: () => void;
}) {
  const say = useTexts(TEXTS);
  const [asked, setAsked] = useState(phoneNumber);
  const title = phoneNumber === null ? say("look") : say("history.of", { number: phoneNumber });
  const { fault, run } = useCommand();
  const look = (fields: FormData) =>
    run(async () => setAsked(await typedNumber(textOf(fields, "phoneNumber") ?? "")));
  return (
    <Dialog title={title} onClose={onClose}>
      {phoneNumber === null ? (
        <Form onSubmit={look} fault={fault}>
          <Field label={say("number")} name="phoneNumber" type="tel" required placeholder="+905321112233" />
          <Row>
            <Button type="submit" look="strong" data-testid="ask">
              {say("look.submit")}
            </Button>
          </Row>
        </Form>
      ) : null}
      {asked === null ? null : (
        <>
          <OnLists phoneNumber={asked} />
          <Asked phoneNumber={asked} />
        </>
      )}
    </Dialog>
  );
}

/** Every list that is on and has the number, the do-not-call list among them. */
function OnLists({ phoneNumber }: { readonly phoneNumber: string }) {
  const say = useTexts(TEXTS);
  const kindOf = useListKind();
  const { data, error, refetch } = useQuery({
    queryKey: [PATH, "lists", phoneNumber],
    queryFn: async ({ signal }) =>
      (await ask("GET", PATH, { query: { phoneNumber }, signal })).body.lists ?? [],
    retry: false,
  });
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  return (
    <div data-testid="on-lists" data-value={data.length}>
      <p role="status">{say(data.length === 0 ? "lists.none" : "lists.some", { number: phoneNumber })}</p>
      <ul>
        {data.map(({ id, name, kind, asOf }) => (
          <li key={id} data-list={id}>
            {id === OWN_LIST ? say("title") : <UserText>{name}</UserText>} <Muted>{kindOf(kind)}</Muted>{" "}
            {asOf === null ? null : <Time at={asOf} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Asked({ phoneNumber }: { readonly phoneNumber: string }) {
  const say = useTexts(TEXTS);
  const { data, error, refetch } = useQuery({
    queryKey: [PATH, "history", phoneNumber],
    queryFn: ({ signal }) => get(`${PATH}/:phoneNumber`, { params: { phoneNumber }, signal }),
    retry: false,
  });
  if (data !== undefined) return <History of={data} />;
  if (error instanceof ApiFailure && error.code === "SUPPRESSION_NOT_FOUND")
    return (
      <p role="status" data-testid="never-listed">
        {say("history.never", { number: phoneNumber })}
      </p>
    );
  if (error !== null) return <Failure error={error} onRetry={() => void refetch()} />;
  return <p role="status">{say("history.loading")}</p>;
}

function History({ of: { phoneNumber, listed, history } }: { readonly of: SuppressionHistoryRecord }) {
  const say = useTexts(TEXTS);
  const nameOf = useKeyNames();
  const reasonOf = useReason();
  const who = ({ by, source, action }: SuppressionChange) => {
    if (by !== null) return <UserText>{nameOf(by)}</UserText>;
    return say(source === "call" && action !== "removed" ? "by.callee" : "by.unknown");
  };
  const heads = [say("action"), say("reason"), say("source"), say("by"), say("at")];
  return (
    <div data-testid="history" data-listed={listed}>
      <p role="status">{say(listed ? "history.listed" : "history.off", { number: phoneNumber })}</p>
      <Table label={say("history.of", { number: phoneNumber })} heads={heads}>
        {history.map((change, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was done never moves
          <tr key={history.length - place} data-action={change.action}>
            <td>{say(`action.${change.action}`)}</td>
            <td>
              <UserText>{reasonOf(change.reason)}</UserText>
            </td>
            <td>
              <Source of={change} />
            </td>
            <td>{who(change)}</td>
            <td>
              <Time at={change.at} />
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

/** Names of keys by id; the id itself if the reader may not see keys. */
function useKeyNames(): (id: string) => string {
  const enabled = useAllowed()("admin");
  const { rows } = useList("/api/v1/api-keys", { query: ALL, enabled });
  return (keyId) => rows.find(({ id }) => id === keyId)?.name ?? keyId;
}
