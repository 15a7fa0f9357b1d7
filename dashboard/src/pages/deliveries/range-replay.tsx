import { useState } from "react";
import { ALL_KINDS } from "../../../../domain/webhook/kinds.ts";
import { Fault, Form, Row } from "../../records/records.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Choice, Dialog, Field } from "../../ui/controls.tsx";
import { type Counted, countRange, type Range, replayRange } from "./delivery-api.ts";
import { en } from "./en.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };
const HOUR = 3_600_000;

/** A local time in the format of its control. */
const localText = (at: number): string =>
  new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

const rangeOf = (fields: FormData): Range => {
  const at = (name: string) => new Date(String(fields.get(name))).toISOString();
  const event = ALL_KINDS.find((kind) => kind === fields.get("events"));
  return { from: at("from"), to: at("to"), ...(event === undefined ? {} : { events: [event] }) };
};

/** Replays everything of a range: counted first, sent after confirmation. */
export function RangeReplay({ onClose }: { readonly onClose: () => void }) {
  const say = useTexts(TEXTS);
  const [counted, setCounted] = useState<{ readonly range: Range; readonly count: Counted } | null>(null);
  const { busy, fault, run } = useCommand();
  const count = async (fields: FormData) => {
    setCounted(null);
    const found = await run(async () => {
      const range = rangeOf(fields);
      return { range, count: await countRange(range) };
    });
    setCounted(found ?? null);
  };
  const now = Date.now();
  return (
    <Dialog title={say("range.title")} onClose={onClose}>
      <Form onSubmit={count} fault={fault}>
        <p>{say("range.told")}</p>
        <Field
          label={say("range.from")}
          name="from"
          type="datetime-local"
          required
          defaultValue={localText(now - HOUR)}
        />
        <Field
          label={say("range.to")}
          name="to"
          type="datetime-local"
          required
          defaultValue={localText(now + 60_000)}
        />
        <Choice label={say("filter.event")} name="events" defaultValue="">
          <option value="">{say("range.all")}</option>
          {ALL_KINDS.map((kind) => (
            <option key={kind}>{kind}</option>
          ))}
        </Choice>
        <Row>
          <Button type="submit" data-testid="count" disabled={busy}>
            {say("range.count")}
          </Button>
        </Row>
      </Form>
      {counted === null ? null : <Send key={JSON.stringify(counted.range)} {...counted} />}
    </Dialog>
  );
}

function Send({ range, count: { count, isMore } }: { readonly range: Range; readonly count: Counted }) {
  const say = useTexts(TEXTS);
  const { number } = useFormat();
  const [sent, setSent] = useState<number | null>(null);
  const { busy, fault, run } = useCommand("deliveries");
  const send = async () => setSent((await run(() => replayRange(range)))?.deliveries ?? null);
  return (
    <div style={{ display: "grid", gap: 10, marginTop: 14 }}>
      <p role="status" data-count="events" data-value={count}>
        {say(isMore ? "range.more" : "range.found", { count: number(count) })}
      </p>
      <Fault error={fault} />
      <Row>
        <Button
          look="strong"
          data-testid="replay-range"
          disabled={busy || count === 0 || sent !== null}
          onClick={send}
        >
          {say("range.send")}
        </Button>
      </Row>
      {sent === null ? null : (
        <p role="status" data-testid="range-replayed" data-value={sent}>
          {say("range.sent", { count: number(sent) })}
        </p>
      )}
    </div>
  );
}
