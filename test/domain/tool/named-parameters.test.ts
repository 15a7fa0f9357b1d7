import { describe, expect, it } from "vitest";
import { bindNamed } from "../../../domain/tool/named-parameters.ts";
import { overLinear } from "../../support/doors/processor.ts";

describe("bindNamed", () => {
  it("gives each name one number, in the order of their coming", () => {
    expect(bindNamed("select :a, :b from t where x = :a")).toEqual({
      ok: true,
      text: "select $1, $2 from t where x = $1",
      names: ["a", "b"],
    });
  });

  it.each([
    "select ':a', 'it''s :a', E'\\':a', e'\\\\', ''",
    'select 1 as ":a ""x"" :b"',
    "select $$ :a ' $$, $tag$ :a $$ $other$ $tag$",
    "select 1 -- :a ' \"\n, 2",
    "select 1 /* :a /* ' */ :b */ , 2",
    "select '5'::int, x::text[], f(a := 1)",
    "select a$b$ from t",
    "select '{1,2}'::int[], '{{1},{2}}'",
  ])("takes %j as it stands", (sql) => {
    expect(bindNamed(sql)).toEqual({ ok: true, text: sql, names: [] });
  });

  it.each([
    ["select ':a' || :a", "select ':a' || $1", ["a"]],
    ["select E'\\'' || :a || '", null, []],
    ["select 'x'''||:a", "select 'x'''||$1", ["a"]],
    ["select :a::int", "select $1::int", ["a"]],
    ["select x[1: :n]", "select x[1: $1]", ["n"]],
    ["select b':a' || :c", "select b':a' || $1", ["c"]],
    ["select /* it's */ :a", "select /* it's */ $1", ["a"]],
    ["select -- it's\r:a", "select -- it's\r$1", ["a"]],
  ])("binds in %j only what is outside", (sql, text, names) => {
    const bound = bindNamed(sql);
    expect(bound.ok ? [bound.text, bound.names] : [null, []]).toEqual([text, names]);
  });

  it.each(["select '", 'select "', "select /* /* */", "select $a$ $b$", "select $$", "select e'\\'"])(
    "refuses %j, which does not end",
    (sql) => expect(bindNamed(sql)).toMatchObject({ ok: false }),
  );

  it("refuses numbers in place of names", () => {
    expect(bindNamed("select $1")).toEqual({ ok: false, reason: "use :name in place of $1" });
  });

  it("costs what is linear for 32 KiB of anything", async () => {
    const texts = ["$a", "$$", "'", "/*", "e'", ":a", "(", '"', "$a$"].map((piece) =>
      piece.repeat(32_768 / piece.length),
    );
    for (const text of texts)
      expect(await overLinear(() => bindNamed(text), text.length), text.slice(0, 9)).toBeNull();
  });
});
