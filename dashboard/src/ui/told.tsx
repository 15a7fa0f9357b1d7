import { useFormat } from "../texts/format.ts";
import { useTexts } from "../texts/language.tsx";
import { isElsewhere, piecesOf } from "./moments.ts";
import styles from "./page.module.css";

/**
 * A sentence of the service, unchanged. Its instants are in another zone than the rest of the page: the
 * reader's time follows each, added by the style sheet, so that the text stays the service's.
 */
export function Told({ sentence }: { readonly sentence: string }) {
  const say = useTexts();
  const { time, clock } = useFormat();
  return piecesOf(sentence).map((piece, index) => {
    const { text, at } = piece;
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change places
    if (at === null) return <Words key={index} text={text} />;
    const isToday = new Date().toDateString() === at.toDateString();
    const local = say("here", { at: isToday ? clock(at.getTime()) : time(at.getTime()) });
    return (
      <time
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        key={index}
        dateTime={at.toISOString()}
        className={styles.elsewhere}
        {...(isElsewhere(piece) ? { "data-here": local } : {})}
      >
        {text}
      </time>
    );
  });
}

/** A number after a name that runs from right to left would be drawn on the wrong side of it. */
function Words({ text }: { readonly text: string }) {
  return text.split(/(\(\+\d+\))/).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    index % 2 === 0 ? part : <bdi key={index}>{part}</bdi>,
  );
}
