import { useFormat } from "../../texts/format.ts";
import { useTexts } from "../../texts/language.tsx";
import { Choice } from "../../ui/controls.tsx";
import { countriesIn } from "./countries.ts";
import { en } from "./en.ts";
import type { StepProps } from "./steps.ts";
import { tr } from "./tr.ts";

const TEXTS = { en, tr };

/** Asked when the file has numbers that only a country makes whole. */
export function CountryChoice({ draft, change }: Pick<StepProps, "draft" | "change">) {
  const { read, columns, defaultCountry } = draft;
  if (read?.national[columns.phone] === undefined) return null;
  return <NumberCountry value={defaultCountry} choose={(chosen) => change({ defaultCountry: chosen })} />;
}

type NumberCountryProps = { readonly value: string; readonly choose: (country: string) => void };

/** Where numbers without + are dialled; "": not chosen. */
export function NumberCountry({ value, choose }: NumberCountryProps) {
  const say = useTexts(TEXTS);
  const { locale } = useFormat();
  return (
    <Choice
      label={say("columns.country")}
      name="defaultCountry"
      value={value}
      onChange={({ target }) => choose(target.value)}
    >
      <option value="">{say("texts.choose")}</option>
      {countriesIn(locale).map(({ code, name }) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Choice>
  );
}
