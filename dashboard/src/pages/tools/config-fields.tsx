import type { ToolRecord } from "../../../../contract/tool.ts";
import { ConnectionChoice } from "../../records/connection.tsx";
import { useTexts } from "../../texts/language.tsx";
import { Choice, Field, TextField } from "../../ui/controls.tsx";
import { linesOf } from "./config.ts";
import { METHODS, TEXTS, type ToolType } from "./texts.ts";

const DATABASES = ["postgres"] as const;

type Shown = {
  readonly type: ToolType;
  readonly config: ToolRecord["config"];
  /** The problem with a field, by its name. */
  readonly faultOf: (name: string) => string | undefined;
};

/** The fields of one type of tool. */
export function ConfigFields({ type, config, faultOf }: Shown) {
  if (type === "END_CALL") return null;
  if (type === "TRANSFER_CALL") return <Transfer config={config} />;
  if (type === "DATABASE_QUERY") return <Query config={config} faultOf={faultOf} />;
  return <Request config={config} faultOf={faultOf} />;
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

function Request({ config, faultOf }: Omit<Shown, "type">) {
  const say = useTexts(TEXTS);
  const lines = (name: "headers" | "query") => ({
    name: `config.${name}`,
    label: say(name),
    defaultValue: linesOf(config[name]),
    fault: faultOf(`config.${name}`),
    dir: "ltr" as const,
    rows: 3,
  });
  return (
    <>
      <Field
        label={say("url")}
        name="config.url"
        type="url"
        required
        hint={say("url.hint")}
        defaultValue={textOf(config["url"])}
      />
      <Choice label={say("method")} name="config.method" defaultValue={textOf(config["method"]) || "GET"}>
        {METHODS.map((method) => (
          <option key={method}>{method}</option>
        ))}
      </Choice>
      <TextField {...lines("headers")} hint={say("headers.hint")} />
      <TextField {...lines("query")} />
      <TextField
        label={say("body")}
        name="config.body"
        dir="ltr"
        fault={faultOf("config.body")}
        defaultValue={config["body"] === undefined ? "" : JSON.stringify(config["body"], null, 2)}
      />
    </>
  );
}

function Query({ config, faultOf }: Omit<Shown, "type">) {
  const say = useTexts(TEXTS);
  return (
    <>
      <ConnectionChoice
        label={say("connection")}
        name="config.connectionId"
        kinds={DATABASES}
        none="–"
        value={textOf(config["connectionId"])}
      />
      <TextField
        label={say("sql")}
        name="config.query"
        required
        dir="ltr"
        rows={6}
        defaultValue={textOf(config["query"])}
      />
      <TextField
        label={say("parameters")}
        name="config.parameters"
        dir="ltr"
        fault={faultOf("config.parameters")}
        defaultValue={linesOf(config["parameters"])}
      />
    </>
  );
}

function Transfer({ config }: Pick<Shown, "config">) {
  const say = useTexts(TEXTS);
  return (
    <>
      <Field
        label={say("to")}
        name="config.to"
        type="tel"
        required
        placeholder="+905321112233"
        defaultValue={textOf(config["to"])}
      />
      <TextField
        label={say("message")}
        name="config.message"
        dir="auto"
        defaultValue={textOf(config["message"])}
      />
    </>
  );
}
