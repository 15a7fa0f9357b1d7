import { useRouter } from "@tanstack/react-router";
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from "react";
import type { SessionRecord } from "../../../../contract/session.ts";
import { allows } from "../../api/session.ts";
import { useTexts } from "../../texts/language.tsx";
import controls from "../../ui/controls.module.css";
import { Dialog } from "../../ui/controls.tsx";
import { Failure } from "../../ui/page.tsx";
import { PLACES } from "../places.ts";
import { type Item, isSearched, useFound } from "./found.ts";
import { KINDS, numberIn, pathOf } from "./hits.ts";
import styles from "./palette.module.css";
import { TEXTS } from "./texts.ts";

export type Command = { readonly key: string; readonly text: string; readonly run: () => void };

type PaletteProps = {
  readonly session: SessionRecord;
  readonly commands: readonly Command[];
  readonly onClose: () => void;
};

/** Finds pages, commands, and everything with a name or a number. */
export function Palette({ session, commands, onClose }: PaletteProps) {
  const say = useTexts(TEXTS);
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  // The dialog was opened before this effect.
  useEffect(() => field.current?.focus(), []);
  const q = useDeferredValue(typed.trim());
  const found = useFound(q);
  const items = useItems(q, session, commands, found.data);
  const place = Math.min(chosen, items.length - 1);
  const run = (item: Item | undefined) => {
    if (item === undefined) return;
    onClose();
    item.run();
  };
  const pressed = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const move = moves[event.key];
    if (event.key === "Enter") run(items[place]);
    if (move !== undefined) setChosen((place + move + items.length) % Math.max(1, items.length));
    if (event.key === "Enter" || move !== undefined) event.preventDefault();
  };
  return (
    <Dialog title={say("palette")} onClose={onClose}>
      <div className={styles.palette} data-testid="palette">
        <input
          className={controls.input}
          name="palette"
          role="combobox"
          aria-expanded={true}
          aria-controls={list}
          aria-activedescendant={items.length === 0 ? undefined : `${list}-${place}`}
          aria-label={say("field")}
          placeholder={say("field")}
          autoComplete="off"
          dir="auto"
          ref={field}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setChosen(0);
          }}
          onKeyDown={pressed}
        />
        {found.isError && isSearched(q) ? <Failure error={found.error} /> : null}
        <Options id={list} items={items} place={place} onRun={run} />
        <p className={styles.note} role="status">
          {items.length === 0 && !found.isFetching ? say("none") : null}
          {isSearched(q) && found.isFetching ? say("searching") : null}
          {isSearched(q) ? null : say("none.short")}
        </p>
      </div>
    </Dialog>
  );
}

function Options({
  id,
  items,
  place,
  onRun,
}: {
  readonly id: string;
  readonly items: readonly Item[];
  readonly place: number;
  readonly onRun: (item: Item) => void;
}) {
  const say = useTexts(TEXTS);
  const chosen = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is chosen is seen
  useEffect(() => {
    chosen.current?.scrollIntoView({ block: "nearest" });
  }, [place]);
  return (
    <div role="listbox" id={id} aria-label={say("palette")} className={styles.options}>
      {items.map((item, each) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
        <div
          key={item.key}
          id={`${id}-${each}`}
          ref={each === place ? chosen : null}
          role="option"
          tabIndex={-1}
          aria-selected={each === place}
          className={styles.option}
          data-item={item.key}
          onClick={() => onRun(item)}
        >
          <span dir="auto" {...(item.isForeign ? { "data-user-text": "" } : {})}>
            {item.text}
          </span>
          <span className={styles.group}>{item.group}</span>
        </div>
      ))}
    </div>
  );
}

function useItems(
  q: string,
  session: SessionRecord,
  commands: readonly Command[],
  found: ReturnType<typeof useFound>["data"],
): readonly Item[] {
  const say = useTexts(TEXTS);
  const sayFrame = useTexts();
  const { history } = useRouter();
  const go = (path: string) => () => history.push(path);
  const wanted = q.toLocaleLowerCase();
  const pages = PLACES.flatMap(({ places }) => places)
    .filter(({ scope }) => scope === null || allows(session, scope))
    .map(({ path, text }) => ({ key: path, text: sayFrame(text), group: say("pages"), run: go(path) }));
  const known = [...pages, ...commands.map((command) => ({ ...command, group: say("commands") }))].filter(
    ({ text }) => text.toLocaleLowerCase().includes(wanted),
  );
  const number = allows(session, "calls:read") ? numberIn(q) : null;
  const hits = isSearched(q)
    ? KINDS.flatMap((kind) => (found?.[kind] ?? []).map((hit) => ({ kind, hit })))
    : [];
  return [
    ...(number === null
      ? []
      : [
          {
            key: "number",
            text: say("number", { number }),
            group: sayFrame("nav.numbers"),
            isForeign: false,
            run: go(`/numbers/${encodeURIComponent(number)}`),
          },
        ]),
    ...known.map((item) => ({ ...item, isForeign: false })),
    ...hits.flatMap(({ kind, hit }) => {
      const path = pathOf(kind, hit);
      if (path === null) return [];
      return [{ key: hit.id, text: hit.title, group: say(kind), isForeign: true, run: go(path) }];
    }),
  ];
}
