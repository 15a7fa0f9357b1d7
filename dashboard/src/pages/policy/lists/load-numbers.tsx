import { useEffect, useRef, useState } from "react";
import type { DataOf, RouteAt } from "../../../../../contract/asking.ts";
import type { SuppressionListRecord } from "../../../../../contract/suppression-list.ts";
import { ApiFailure, put } from "../../../api/request.ts";
import { instantOf } from "../../../calling/calling-draft.ts";
import { Form, Muted, Row, textOf, UserText } from "../../../records/records.tsx";
import { useCommand } from "../../../records/use-command.ts";
import { useFormat } from "../../../texts/format.ts";
import { useTexts } from "../../../texts/language.tsx";
import { Button, Check, Dialog, Field } from "../../../ui/controls.tsx";
import { NumberCountry } from "../../campaign-new/country-choice.tsx";
import { RejectedTable } from "../../campaign-new/rejected-rows.tsx";
import { TEXTS } from "../texts.ts";
import { LISTS } from "./list-standing.ts";

const NUMBERS = "/api/v1/suppression-lists/:id/numbers";
type Report = DataOf<RouteAt<"PUT", typeof NUMBERS>>;

type LoadNumbersProps = { readonly of: SuppressionListRecord; readonly onClose: () => void };

/** Replaces the numbers of a list by those of a file. Closing it ends what is still being sent. */
export function LoadNumbers({ of, onClose }: LoadNumbersProps) {
  const say = useTexts(TEXTS);
  const { busy, fault, run } = useCommand(LISTS);
  const [country, setCountry] = useState("");
  const [sent, setSent] = useState<number | null>(null);
  const [report, setReport] = useState<Report | null>(null);
  const closed = useRef(new AbortController());
  useEffect(() => () => closed.current.abort(), []);
  const shrinks = fault instanceof ApiFailure && fault.code === "LIST_SHRINKS";
  const load = async (fields: FormData) => {
    const file = fields.get("file");
    if (!(file instanceof File)) return;
    setReport(null);
    setSent(0);
    const day = textOf(fields, "asOf");
    const loaded = await run(() =>
      put(NUMBERS, {
        params: { id: of.id },
        query: {
          defaultCountry: country === "" ? undefined : country,
          asOf: day === null ? undefined : (instantOf(`${day}T00:00`) ?? undefined),
          force: fields.get("force") === null ? undefined : "true",
        },
        raw: file,
        headers: { "Content-Type": "text/csv" },
        onSent: setSent,
        signal: closed.current.signal,
      }),
    );
    setSent(null);
    setReport(loaded ?? null);
  };
  return (
    <Dialog title={say("load.title")} onClose={onClose}>
      <Form onSubmit={load} fault={fault}>
        <p>
          <UserText>{of.name}</UserText>
        </p>
        <Field
          label={say("load.file")}
          hint={say("load.file.hint")}
          name="file"
          type="file"
          accept=".csv,.txt,text/csv"
          required
        />
        <Field label={say("load.as-of")} hint={say("load.as-of.hint")} name="asOf" type="date" />
        <NumberCountry value={country} choose={setCountry} />
        {shrinks ? <Check label={say("load.force")} name="force" /> : null}
        {sent === null ? null : <Progress sent={sent} />}
        {report === null ? null : <Loaded report={report} />}
        <Row>
          <Button type="submit" look="strong" data-testid="send" disabled={busy}>
            {say("load.send")}
          </Button>
        </Row>
      </Form>
    </Dialog>
  );
}

/** How much has been sent, 0 to 1; then the service reads it. */
function Progress({ sent }: { readonly sent: number }) {
  const say = useTexts(TEXTS);
  const { percent } = useFormat();
  const said = sent < 1 ? say("load.sending", { share: percent(sent) }) : say("load.reading");
  return (
    <div data-testid="progress" data-value={sent}>
      {sent < 1 ? (
        <progress style={{ width: "100%" }} value={sent} aria-label={said} />
      ) : (
        <progress style={{ width: "100%" }} aria-label={said} />
      )}
      <Muted>{said}</Muted>
    </div>
  );
}

function Loaded({ report: { count, added, removed, duplicates, rejected } }: { readonly report: Report }) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  return (
    <div role="status" data-testid="loaded" data-value={count} data-rejected={rejected.count}>
      <p>
        {say("loaded", { count: number(count), added: number(added), removed: number(removed) })}{" "}
        {duplicates === 0 ? null : say("loaded.duplicates", { count: number(duplicates) })}{" "}
        {rejected.count === 0 ? null : say("loaded.rejected", { count: number(rejected.count) })}
      </p>
      <RejectedTable
        rejected={{
          count: rejected.count,
          items: rejected.items.map((row) => ({ ...row, index: row.line })),
        }}
      />
    </div>
  );
}
