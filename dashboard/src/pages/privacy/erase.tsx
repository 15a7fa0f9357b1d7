import { useState } from "react";
import type { ErasureRecord } from "../../../../contract/erasure.ts";
import { post, remove } from "../../api/request.ts";
import { Confirm } from "../../records/confirm.tsx";
import { useCommand } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button } from "../../ui/controls.tsx";
import { ERASURES, TEXTS } from "./texts.ts";

/** Erases for good the texts of one call that has ended. */
export function EraseCall({ callId }: { readonly callId: string }) {
  const say = useTexts(TEXTS);
  const [open, setOpen] = useState(false);
  return (
    <>
      <EraseButton onClick={() => setOpen(true)} />
      {open ? (
        <EraseConfirm
          title={say("call.title")}
          erase={() => remove("/api/v1/calls/:callId/content", { params: { callId } })}
          changes={[`/api/v1/calls/${callId}`, `/api/v1/calls/${callId}/events`]}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}

/** Erases for good the texts of all calls to a number. `changes`: the queries that show them. */
export function EraseNumber({
  phoneNumber,
  changes,
}: {
  readonly phoneNumber: string;
  readonly changes: readonly string[];
}) {
  const [open, setOpen] = useState(false);
  const [erased, setErased] = useState<ErasureRecord>();
  return (
    <>
      <EraseButton onClick={() => setOpen(true)} />
      {erased === undefined ? null : <Erased erased={erased} />}
      {open ? (
        <EraseNumberConfirm
          phoneNumber={phoneNumber}
          changes={changes}
          onErased={setErased}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}

export function EraseNumberConfirm({
  phoneNumber,
  changes,
  onErased,
  onClose,
}: {
  readonly phoneNumber: string;
  readonly changes: readonly string[];
  readonly onErased: (erased: ErasureRecord) => void;
  readonly onClose: () => void;
}) {
  const say = useTexts(TEXTS);
  return (
    <EraseConfirm
      title={say("number.confirm", { number: phoneNumber })}
      erase={() => post(ERASURES, { body: { phoneNumber } })}
      changes={changes}
      onErased={onErased}
      onClose={onClose}
    />
  );
}

/** The counts of an erasure. */
export function Erased({ erased: { calls, recordings, deliveries } }: { readonly erased: ErasureRecord }) {
  const say = useTexts(TEXTS);
  return (
    <p role="status" data-testid="erased" data-calls={calls}>
      {calls === 0 ? say("done.none") : say("done", { calls, recordings, deliveries })}
    </p>
  );
}

function EraseButton({ onClick }: { readonly onClick: () => void }) {
  const say = useTexts(TEXTS);
  return (
    <Button look="danger" data-testid="erase" onClick={onClick}>
      {say("erase")}
    </Button>
  );
}

function EraseConfirm({
  title,
  erase,
  changes,
  onErased = () => undefined,
  onClose,
}: {
  readonly title: string;
  readonly erase: () => Promise<ErasureRecord>;
  readonly changes: readonly string[];
  readonly onErased?: (erased: ErasureRecord) => void;
  readonly onClose: () => void;
}) {
  const say = useTexts(TEXTS);
  const command = useCommand(ERASURES, ...changes);
  const confirmed = async () => {
    const erased = await command.run(erase);
    if (erased === undefined) return;
    onErased(erased);
    onClose();
  };
  return (
    <Confirm
      title={title}
      action={say("erase")}
      command={command}
      onConfirm={() => void confirmed()}
      onClose={onClose}
    >
      <p>{say("erase.told")}</p>
    </Confirm>
  );
}
