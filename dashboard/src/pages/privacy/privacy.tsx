import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ErasureRecord } from "../../../../contract/erasure.ts";
import { get } from "../../api/request.ts";
import { Columns, Form, Row, textOf } from "../../records/records.tsx";
import { typedNumber } from "../../records/typed-number.ts";
import { useCommand } from "../../records/use-command.ts";
import { useList } from "../../records/use-list.ts";
import { useRefresh } from "../../records/use-refresh.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Field, Panel } from "../../ui/controls.tsx";
import { Page, stateOf } from "../../ui/page.tsx";
import { Erased, EraseNumberConfirm } from "./erase.tsx";
import { Erasures } from "./erasures.tsx";
import { Retention } from "./retention.tsx";
import { ACCOUNT, ERASURES, TEXTS } from "./texts.ts";

/** Texts of calls: how long they are kept, and what was erased. */
export function Privacy() {
  const say = useTexts(TEXTS);
  const account = useQuery({ queryKey: [ACCOUNT], queryFn: ({ signal }) => get(ACCOUNT, { signal }) });
  const list = useList(ERASURES);
  useRefresh(ERASURES, ({ type }) => type === "CallContentErased");
  return (
    <Page
      name="privacy"
      title={say("title")}
      state={stateOf({
        isPending: account.isPending || list.isPending,
        isError: account.isError || list.isError,
        isEmpty: false,
      })}
      failure={account.error ?? list.error}
      onRetry={() => void Promise.all([account.refetch(), list.refetch()])}
    >
      <p>{say("told")}</p>
      <Columns>
        {account.data === undefined ? null : <Retention contentDays={account.data.retention.contentDays} />}
        <ByNumber />
      </Columns>
      <Erasures list={list} />
    </Page>
  );
}

function ByNumber() {
  const say = useTexts(TEXTS);
  const [phoneNumber, setPhoneNumber] = useState<string | null>(null);
  const [erased, setErased] = useState<ErasureRecord>();
  const { fault, run } = useCommand();
  const ask = (fields: FormData) =>
    run(async () => setPhoneNumber(await typedNumber(textOf(fields, "phoneNumber") ?? "")));
  return (
    <Panel title={say("number.title")}>
      <Form onSubmit={ask} fault={fault}>
        <Field
          label={say("number.number")}
          name="phoneNumber"
          type="tel"
          required
          placeholder="+905321112233"
        />
        <Row>
          <Button type="submit" look="danger" data-testid="erase">
            {say("erase")}
          </Button>
        </Row>
        {erased === undefined ? null : <Erased erased={erased} />}
      </Form>
      {phoneNumber === null ? null : (
        <EraseNumberConfirm
          phoneNumber={phoneNumber}
          changes={[]}
          onErased={setErased}
          onClose={() => setPhoneNumber(null)}
        />
      )}
    </Panel>
  );
}
