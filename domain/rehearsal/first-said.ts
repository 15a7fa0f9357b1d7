/** In the tree of all phrases: the words that lead here from its root. */
type Place = {
  readonly next: Map<string, Place>;
  /** Of the longest of its ends that also begins a phrase; null: the root. */
  shorter: Place | null;
  phrase: string | null;
  /** This phrase and all at its ends were found. */
  isTold: boolean;
};

/**
 * In which of the texts each phrase is said first, by phrase; absent: in none. All are folded. However many
 * phrases are sought, the texts are read once (the algorithm of Aho and Corasick, over words).
 */
export function firstSaid(phrases: Iterable<string>, texts: readonly string[]): ReadonlyMap<string, number> {
  const root = treeOf(phrases);
  const first = new Map<string, number>();
  for (const [index, text] of texts.entries()) {
    let place = root;
    for (const word of wordsOf(text)) {
      place = after(place, word);
      for (let end: Place | null = place; end !== null && !end.isTold; end = end.shorter) {
        end.isTold = true;
        if (end.phrase !== null) first.set(end.phrase, index);
      }
    }
  }
  return first;
}

function treeOf(phrases: Iterable<string>): Place {
  const root = newPlace();
  for (const phrase of phrases) {
    let place = root;
    for (const word of wordsOf(phrase)) {
      const next = place.next.get(word) ?? newPlace();
      place.next.set(word, next);
      place = next;
    }
    place.phrase = phrase;
  }
  const places = [root];
  for (const place of places) {
    for (const [word, next] of place.next) {
      next.shorter = place.shorter === null ? root : after(place.shorter, word);
      places.push(next);
    }
  }
  return root;
}

function newPlace(): Place {
  return { next: new Map(), shorter: null, phrase: null, isTold: false };
}

function after(place: Place, word: string): Place {
  const next = place.next.get(word);
  if (next !== undefined) return next;
  return place.shorter === null ? place : after(place.shorter, word);
}

/** A text without words has one, which is empty. */
function wordsOf(folded: string): readonly string[] {
  return folded.trim().split(" ");
}
