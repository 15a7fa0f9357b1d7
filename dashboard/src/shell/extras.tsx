import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import type { SessionRecord } from "../../../contract/session.ts";
import { allows, forget, signOut } from "../api/session.ts";
import { useTexts } from "../texts/language.tsx";
import { chooseTheme } from "./choices.tsx";
import { Help } from "./palette/help.tsx";
import { type Command, Palette } from "./palette/palette.tsx";
import { TEXTS } from "./palette/texts.ts";

export type Extra = "palette" | "help";

/** Dialogs that are opened by a key, on every page. */
export function Extras({
  shown,
  session,
  show,
  openPhone,
}: {
  readonly shown: Extra;
  readonly session: SessionRecord;
  readonly show: (extra: Extra | null) => void;
  readonly openPhone: () => void;
}) {
  const commands = useCommands(session, () => show("help"), openPhone);
  const close = () => show(null);
  if (shown === "help") return <Help onClose={close} />;
  return <Palette session={session} commands={commands} onClose={close} />;
}

function useCommands(session: SessionRecord, help: () => void, openPhone: () => void): readonly Command[] {
  const say = useTexts(TEXTS);
  const { history } = useRouter();
  const queries = useQueryClient();
  const leave = async () => {
    await signOut();
    forget(queries);
  };
  const mayCall = allows(session, "calls:write");
  return [
    ...(mayCall
      ? [
          { key: "welcome", text: say("command.welcome"), run: () => history.push("/welcome") },
          { key: "phone", text: say("command.phone"), run: openPhone },
        ]
      : []),
    ...(allows(session, "campaigns:write")
      ? [{ key: "new", text: say("command.campaign"), run: () => history.push("/campaigns/new") }]
      : []),
    { key: "light", text: say("command.light"), run: () => chooseTheme("light") },
    { key: "dark", text: say("command.dark"), run: () => chooseTheme("dark") },
    { key: "help", text: say("command.help"), run: () => setTimeout(help) },
    { key: "sign-out", text: say("command.signout"), run: () => void leave() },
  ];
}
