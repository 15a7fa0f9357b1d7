/**
 * A limit for each key; null: it is reached. Call the returned function at the end; a repeat does nothing.
 */
export function countsPerKey<Key>(most: number): (key: Key) => (() => void) | null {
  const open = new Map<Key, number>();
  return (key) => {
    const count = open.get(key) ?? 0;
    if (count >= most) return null;
    open.set(key, count + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (open.get(key) ?? 1) - 1;
      if (left === 0) open.delete(key);
      else open.set(key, left);
    };
  };
}
