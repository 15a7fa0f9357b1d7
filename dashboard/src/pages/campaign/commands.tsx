import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { BodyOf, RouteAt } from "../../../../contract/asking.ts";
import type { WholeCampaign } from "../../../../contract/campaign.ts";
import { type CampaignStatus, campaignQuery } from "../../api/campaigns.ts";
import { post, remove } from "../../api/request.ts";
import { Confirm } from "../../records/confirm.tsx";
import { useCommand as useChange } from "../../records/use-command.ts";
import { useTexts } from "../../texts/language.tsx";
import { Button, Check, Dialog, PLAIN_LINK } from "../../ui/controls.tsx";
import { Menu } from "../../ui/menu.tsx";
import { PauseAllDialog } from "../campaigns/pause-all.tsx";
import { en } from "./en.ts";
import { AddPeople } from "./setup/add-people.tsx";
import { TestCall } from "./setup/test-call.tsx";
import { tr } from "./tr.ts";

export type Command = "start" | "pause" | "resume" | "cancel";
export type CancelBody = NonNullable<BodyOf<RouteAt<"POST", "/api/v1/campaigns/:id/cancel">>>;

/** The status that is shown at once, until the service answers. */
const AFTERWARDS: Readonly<Record<Command, CampaignStatus>> = {
  start: "RUNNING",
  pause: "PAUSED",
  resume: "RUNNING",
  cancel: "CANCELLED",
};
const FROM: Readonly<Record<Command, readonly CampaignStatus[]>> = {
  start: ["PENDING"],
  pause: ["RUNNING"],
  resume: ["PAUSED"],
  cancel: ["PENDING", "RUNNING", "PAUSED"],
};

/**
 * Sends commands; `seen` is the record as if the command in flight had succeeded, whatever is loaded
 * meanwhile. A refusal reverts it.
 */
export function useCommand(id: string) {
  const queries = useQueryClient();
  const { queryKey } = campaignQuery(id);
  const mutation = useMutation({
    mutationKey: ["campaign", id],
    mutationFn: ({ command, body = {} }: { readonly command: Command; readonly body?: CancelBody }) =>
      post(`/api/v1/campaigns/:id/${command}`, { params: { id }, body }),
    onSuccess: async (answer) => {
      await queries.cancelQueries({ queryKey, exact: true });
      queries.setQueryData(queryKey, answer);
    },
    onSettled: () => queries.invalidateQueries({ queryKey, exact: true }),
  });
  const underWay = mutation.isPending ? mutation.variables.command : null;
  const seen = (record: WholeCampaign): WholeCampaign => {
    if (underWay === null) return record;
    const pauseReason = underWay === "pause" ? "manual" : null;
    return { ...record, campaign: { ...record.campaign, status: AFTERWARDS[underWay], pauseReason } };
  };
  return { error: mutation.error, give: mutation.mutate, seen };
}

type CommandsProps = {
  readonly id: string;
  readonly status: CampaignStatus;
  /** The past cannot be changed. */
  readonly isPast: boolean;
  readonly give: (command: Command, body?: CancelBody) => void;
};
type Asked = "cancel" | "test" | "add" | "pause-all" | "delete";

/** What is done most beside the title, all else in the menu. */
export function Commands({ id, status, isPast, give }: CommandsProps) {
  const say = useTexts({ en, tr });
  const [asked, ask] = useState<Asked | null>(null);
  const offered = (["start", "pause", "resume"] as const).filter((each) => FROM[each].includes(status));
  const isOpen = FROM.cancel.includes(status);
  return (
    <>
      {isOpen ? (
        <Button data-testid="test-call" disabled={isPast} onClick={() => ask("test")}>
          {say("command.test")}
        </Button>
      ) : null}
      {offered.map((command) => (
        <Button
          key={command}
          look="strong"
          data-testid={command}
          disabled={isPast}
          onClick={() => give(command)}
        >
          {say(`command.${command}`)}
        </Button>
      ))}
      {isOpen ? (
        <Button look="danger" data-testid="cancel" disabled={isPast} onClick={() => ask("cancel")}>
          {say("command.cancel")}
        </Button>
      ) : null}
      <Menu label={say("command.more")}>
        {isOpen && !isPast ? (
          <Button data-testid="add-people" onClick={() => ask("add")}>
            {say("command.add")}
          </Button>
        ) : null}
        <Link to="/campaigns/new" search={{ from: id }} className={PLAIN_LINK} data-testid="duplicate">
          {say("command.duplicate")}
        </Link>
        <ExportLink id={id} className={PLAIN_LINK} />
        <Button data-testid="pause-all" onClick={() => ask("pause-all")}>
          {say("command.pause-all")}
        </Button>
        {status === "PENDING" && !isPast ? (
          <Button look="danger" data-testid="delete" onClick={() => ask("delete")}>
            {say("command.delete")}
          </Button>
        ) : null}
      </Menu>
      {asked === "test" ? <TestCall campaignId={id} onClose={() => ask(null)} /> : null}
      {asked === "add" ? <AddPeople campaignId={id} onClose={() => ask(null)} /> : null}
      {asked === "pause-all" ? <PauseAllDialog onClose={() => ask(null)} /> : null}
      {asked === "delete" ? <DeleteDialog id={id} onClose={() => ask(null)} /> : null}
      {asked === "cancel" ? (
        <CancelDialog
          onClose={() => ask(null)}
          cancel={(hangUpActiveCalls) => {
            ask(null);
            give("cancel", { hangUpActiveCalls });
          }}
        />
      ) : null}
    </>
  );
}

/** All people of the campaign with what happened to them, as a file. */
export function ExportLink({ id, className }: { readonly id: string; readonly className: string }) {
  const say = useTexts({ en, tr });
  return (
    <a className={className} href={`/api/v1/campaigns/${id}/contacts.csv`} download>
      {say("export")}
    </a>
  );
}

/** For good, with its people; only before the start. */
function DeleteDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const say = useTexts({ en, tr });
  const navigate = useNavigate();
  const command = useChange("campaigns");
  const erase = async () => {
    const done = await command.run(() => remove("/api/v1/campaigns/:id", { params: { id } }));
    if (done !== undefined) await navigate({ to: "/campaigns" });
  };
  return (
    <Confirm
      title={say("delete.title")}
      action={say("delete.confirm")}
      command={command}
      onConfirm={() => void erase()}
      onClose={onClose}
    >
      <p>{say("delete.what")}</p>
    </Confirm>
  );
}

function CancelDialog({
  onClose,
  cancel,
}: {
  readonly onClose: () => void;
  readonly cancel: (hangUpActiveCalls: boolean) => void;
}) {
  const say = useTexts({ en, tr });
  const [hangUp, setHangUp] = useState(false);
  return (
    <Dialog title={say("cancel.title")} onClose={onClose}>
      <p>{say("cancel.what")}</p>
      <Check
        label={say("cancel.hang-up")}
        name="hangUpActiveCalls"
        checked={hangUp}
        onChange={({ target }) => setHangUp(target.checked)}
      />
      <Button look="grave" data-testid="confirm" onClick={() => cancel(hangUp)}>
        {say("cancel.confirm")}
      </Button>
    </Dialog>
  );
}
