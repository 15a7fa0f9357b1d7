import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Peers } from "./peers.ts";
import { ELSEWHERE, FOLLOWED } from "./sipp-trunk.ts";

/** A context of the shipped dialplan with the trunk that it dials through. */
export type Trunk = {
  readonly context: string;
  /** Of the endpoint, as it is put into ringfold-dial.conf. */
  readonly name: string;
  /** Where the trunk listens; null: pjsip.conf has no such endpoint. */
  readonly port: number | null;
  /** A password that the trunk does not take. */
  readonly password?: string;
  /** Asked every second whether it is there: `offline` within two where it is not. */
  readonly qualified?: boolean;
  /** `redirect_method` of its endpoint; Asterisk's own default is `user`. */
  readonly redirects?: "uri_pjsip";
  /** What the shipped dialplan says is changed to what an older one said. */
  readonly older?: true;
  /** The only one that it takes; ulaw unless said otherwise. */
  readonly codec?: "ulaw" | "alaw";
};

export type AsteriskConfig = {
  readonly folder: string;
  readonly sipPort: number;
  readonly httpPort: number;
  readonly rtp: { readonly first: number; readonly last: number };
  readonly trunks: readonly Trunk[];
};

export const ARI_USER = "ringfold";
export const ARI_PASSWORD = "a-password-of-a-test";

const SHIPPED = readFileSync(
  join(import.meta.dirname, "../../../deploy/asterisk/ringfold-dial.conf"),
  "utf8",
);

/** As docs/asterisk.md tells an operator to write it, on loopback. Answers the path of asterisk.conf. */
export function writeAsteriskConfig({ root, libraries }: Peers, config: AsteriskConfig): string {
  const { folder, trunks } = config;
  const etc = join(folder, "etc");
  for (const each of ["etc", "lib", "sock", "log", "spool/recording", "spool/monitor"])
    mkdirSync(join(folder, each), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(etc, name), `${text}\n`);
  write("asterisk.conf", directories(etc, folder, root, libraries));
  write("logger.conf", "[general]\n[logfiles]\nconsole => notice,warning,error");
  write("modules.conf", "[modules]\nautoload=yes");
  write("http.conf", `[general]\nenabled=yes\nbindaddr=127.0.0.1\nbindport=${config.httpPort}`);
  write(
    "ari.conf",
    `[general]\nenabled=yes\n[${ARI_USER}]\ntype=user\nread_only=no\npassword=${ARI_PASSWORD}\npassword_format=plain`,
  );
  chmodSync(join(etc, "ari.conf"), 0o600);
  write("chan_websocket.conf", "[global]\ncontrol_message_format=json");
  write("rtp.conf", `[general]\nrtpstart=${config.rtp.first}\nrtpend=${config.rtp.last}`);
  write("cdr.conf", "[general]\nenable=no");
  write("pjsip.conf", pjsip(config));
  write("extensions.conf", [...trunks.map(dialplanOf), PBX].join("\n"));
  return join(etc, "asterisk.conf");
}

/** What a trunk could reach in an Asterisk that has more than our dialplan. */
const PBX = [
  "[nobody-comes-in]",
  `exten => ${ELSEWHERE},1,Set(GLOBAL(${FOLLOWED})=\${GLOBAL(${FOLLOWED})} \${CHANNEL})`,
  " same => n,Answer()",
  " same => n,Echo()",
].join("\n");

/** ringfold-dial.conf as it is shipped, with its trunk put in. */
function dialplanOf({ context, name, older }: Trunk): string {
  const dialplan = SHIPPED.replace("[ringfold-dial]", `[${context}]`).replace("@trunk)", `@${name})`);
  return older ? dialplan.replace("follows-nobody ", "") : dialplan;
}

function directories(etc: string, folder: string, root: string, libraries: string): string {
  return [
    "[directories]",
    `astetcdir => ${etc}`,
    `astmoddir => ${libraries}/asterisk/modules`,
    `astdatadir => ${root}/usr/share/asterisk`,
    ...["astvarlibdir", "astdbdir", "astkeydir", "astagidir"].map((each) => `${each} => ${folder}/lib`),
    `astspooldir => ${folder}/spool`,
    `astrundir => ${folder}/sock`,
    `astlogdir => ${folder}/log`,
  ].join("\n");
}

function pjsip({ sipPort, trunks }: AsteriskConfig): string {
  const transport = `[loopback]\ntype=transport\nprotocol=udp\nbind=127.0.0.1:${sipPort}`;
  const seen = new Set<string>();
  const endpoints = trunks.flatMap(
    ({ name, port, password, qualified = false, codec = "ulaw", redirects }) => {
      if (port === null || seen.has(name)) return [];
      seen.add(name);
      const auth =
        password === undefined
          ? []
          : [`[${name}-auth]\ntype=auth\nauth_type=userpass\nusername=us\npassword=${password}`];
      const endpoint = [
        `[${name}]`,
        "type=endpoint",
        "transport=loopback",
        "context=nobody-comes-in",
        "disallow=all",
        `allow=${codec}`,
        "direct_media=no",
        "dtmf_mode=rfc4733",
        `aors=${name}`,
        ...(redirects === undefined ? [] : [`redirect_method=${redirects}`]),
        ...(password === undefined ? [] : [`outbound_auth=${name}-auth`]),
      ].join("\n");
      const asked = qualified ? "\nqualify_frequency=1\nqualify_timeout=0.5" : "";
      const aor = `[${name}]\ntype=aor\ncontact=sip:127.0.0.1:${port}${asked}`;
      return [endpoint, aor, ...auth];
    },
  );
  return [transport, ...endpoints].join("\n");
}
