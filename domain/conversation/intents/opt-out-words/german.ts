import { type OptOutWords, thenOnly, upTo } from "./opt-out-words.ts";

const NEVER =
  "(?:nie wieder|nie mehr|niemals(?: wieder| mehr)?|nicht mehr|nicht wieder|nicht noch ?(?:ein ?)?mal|nicht nochmals|nie nie wieder)";
const HERE =
  "(?:mich|uns|hier|bei mir|bei uns|diese nummer|unter dieser nummer|auf dieser nummer|meine nummer)";
const ADDED = [
  "bitte",
  "doch",
  "einfach",
  "endlich",
  "jetzt",
  "sofort",
  "auch",
  "nun",
  "mal",
  "ja",
  "also",
  "wirklich",
];
const CALL = "(?:ruf(?:en sie|t)?|rufe|rufen se)";
const NO_STATEMENT =
  "(?<! (?:leider|warum|wieso|weshalb|wann|dann|sonst|deshalb|trotzdem|offenbar|seitdem|deswegen|ich) )";
const NUMBER = "(?:meine|diese|unsere) (?:telefon ?|handy ?|mobil ?|ruf ?)?(?:nummer|daten)";
const ME = `(?:mich|uns|${NUMBER})`;
const LIST =
  "(?:von|aus) (?:der|ihrer|dieser|ihrem|dem|den|ihren|allen|deiner|eurer)(?: (?:ganzen|internen))? (?:(?:anruf|telefon|kontakt|adress|kunden)?(?:listen?|datenbank|kartei|datei)|systemen?|verteiler)";
const AWAY =
  "(?:nehmen|nehmt|nimm|streichen|streicht|streich|lo(?:e)?schen|lo(?:e)?scht|lo(?:e)?sch|entfernen|entfernt|entfern|tragen|tragt|schmei(?:ss|ß)en|werfen)";
const AFTERWARDS =
  "bitte|danke|tschuss|tschuess|okay|ok|auf wiederh\\w+|kein interesse|verstanden|ja|sofort|endlich";
const ENDS = thenOnly(AFTERWARDS);
const WISH = "(?:mochte|moechte|mocht|moecht|will|wollen|mochten|moechten|wunsche|wuensche)";
const COULD = "(?:ko(?:e)?nnen|ko(?:e)?nnten|wu(?:e)?rden|wollen) sie";

export const GERMAN: OptOutWords = {
  asks: [
    `${NO_STATEMENT}${CALL} ${upTo(5, HERE, ...ADDED)}${NEVER} ${upTo(3, HERE, ...ADDED)}an`,
    `${NO_STATEMENT}${CALL} ${upTo(4, HERE, ...ADDED)}nicht ${upTo(2, ...ADDED)}an${ENDS}`,
    `${HERE} ${upTo(3, ...ADDED)}${NEVER} ${upTo(2, HERE, ...ADDED)}(?:anrufen|anzurufen|anruft|kontaktieren|bela(?:e)?stigen)`,
    `(?:bitte|danke|sollen|und) ${NEVER} ${upTo(2, HERE, ...ADDED)}(?:anrufen|kontaktieren)|(?<=^ )${NEVER} ${upTo(2, HERE, ...ADDED)}anrufen`,
    `(?:bitte sie|gebeten|bitte euch) ${upTo(2, HERE, ...ADDED)}${NEVER} ${upTo(1, HERE)}anzurufen`,
    `(?:ich|wir|${WISH}) ${upTo(3, WISH, "von ihnen", ...ADDED)}${NEVER} ${upTo(2, "von ihnen", "hier")}(?:angerufen|kontaktiert|bela(?:e)?stigt) werden`,
    `${WISH} ${upTo(2, "von ihnen", ...ADDED)}keine (?:weiteren )?(?:werbe)?anrufe(?: mehr| von ihnen)`,
    `(?:bitte|danke) keine (?:weiteren )?(?:werbe)?anrufe mehr|(?<=^ )keine (?:weiteren )?(?:werbe)?anrufe mehr${ENDS}`,
    `${WISH} nicht(?: mehr)? dass (?:sie|ihr|du|jemand) ${HERE} ${upTo(2, "nochmal", "noch mal", "noch einmal", "wieder", ...ADDED)}(?:anrufen|anruft|anrufst)`,
    `verbiete (?:ihnen|euch|dir) ${upTo(4, HERE, "noch ?(?:ein)?mal", "nochmals", "wieder", "jemals", "weiter")}anzurufen`,
    `ho(?:e)?r(?:en sie|t)? ${upTo(3, ...ADDED)}auf ${upTo(5, HERE, "sta(?:e)?ndig", "dauernd", "immer", "wieder", ...ADDED)}(?:anzurufen|zu bela(?:e)?stigen)`,
    `${COULD} ${upTo(3, ...ADDED)}aufho(?:e)?ren ${upTo(4, HERE, "sta(?:e)?ndig", "dauernd", "immer", ...ADDED)}(?:anzurufen|zu bela(?:e)?stigen)`,
    "unterlassen sie (?:bitte )?(?:(?:diese|die|ihre|weitere) )?(?:werbe)?anrufe|anrufe (?:zu )?unterlassen",
    `${AWAY} (?:sie )?${upTo(3, ...ADDED)}${ME} ${upTo(2, ...ADDED)}${LIST}`,
    `${COULD} ${upTo(3, ...ADDED)}${ME} ${upTo(2, ...ADDED)}${LIST} ${AWAY}`,
    `${WISH} ${upTo(3, ...ADDED)}${LIST} (?:gestrichen|genommen|gelo(?:e)?scht|entfernt|runter|herunter)`,
    `(?:streichen|streicht|streich|lo(?:e)?schen|lo(?:e)?scht|lo(?:e)?sch|entfernen|entfernt|vergessen) (?:sie )?${upTo(3, ...ADDED)}${NUMBER}${thenOnly(AFTERWARDS, "aus|und (?:rufen|nie|nicht)")}`,
    `${COULD} ${upTo(3, ...ADDED)}${NUMBER} ${upTo(2, ...ADDED)}(?:lo(?:e)?schen|streichen|entfernen)`,
    `(?:setzen|nehmen|tragen|schreiben) sie ${upTo(2, ...ADDED)}${ME} (?:bitte )?(?:auf|in) (?:ihre|die|eine) (?:sperrliste|robinsonliste|blacklist|schwarze liste)`,
  ],
  conditions: [
    "vor|nach|bis|solange|wa(?:e)?hrend|falls|au(?:ss|ß)er|sofern|denn|zwischen|ab|um|seit|bevor|nachdem",
    "wenn (?!sie (?:mich |hier |noch ?(?:ein)?mal |wieder |nochmals ){1,3}anrufen)",
    "heute|u(?:e)?bermorgen|morgens|(?<! (?:guten|schonen|schoenen) )(?:morgen|abend|nachmittag|tag|nacht)|abends|vormittags?|nachmittags|mittags?|nachts|uhr|uhrzeit|stunden?|tage",
    "(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|woche|wochen|wochenenden?|monate?|jahre?|feiertags?|feiertagen?|urlaub|ferien|weihnachten|ostern",
    "fru(?:e)?h|fru(?:e)?her|spa(?:e)?t|spa(?:e)?ter|oft|sta(?:e)?ndig nicht|jeden|ta(?:e)?glich|nur|gerade|moment|momentan|derzeit|vorerst|erstmal|zurzeit",
    "arbeit|arbeite|bu(?:e)?ro|meeting|besprechung|termin|auto|schlafe|krank|keine zeit|hause|handy|festnetz|mobil|e ?mail|mail|sms|whatsapp|schreiben|schriftlich|brief|stattdessen|sondern|lieber|unterdru(?:e)?ckt\\w*|anonym",
    "ich (?:rufe|melde|ruf|meld)|(?:rufe|ruf) sie|melde mich|zuru(?:e)?ck|wegen|bezu(?:e)?glich|an (?:der|dem|den|einem|einer|meine[mnr]|diese[mnr]|sonn\\w+|wochen\\w+|feier\\w+)",
  ],
  negated: [
    "nicht (?:gesagt|sagen|gemeint|behauptet|verlangt)|(?:sage?|meine?|sagte|meinte) (?:\\w+ ){0,2}nicht|nie gesagt|jederzeit|nicht auf(?:ho(?:e)?ren|zuho(?:e)?ren)?|(?:mich|uns|nummer) (?:bitte )?nicht (?:von|aus|lo(?:e)?schen|streichen)",
    "nummer (?:bitte )?nicht(?= $)|(?:ko(?:e)?nnen|du(?:e)?rfen) (?:sie )?(?:mich|uns) (?:gerne?|ruhig|weiter|immer|auch)|gerne? (?:wieder )?an(?:rufen)?|(?:brauchen|mu(?:e)?ssen)",
  ],
  questions: [
    "warum|wieso|weshalb|wann|wie (?:komme?|kann|lange|werde?|geht)|was (?:passiert|ist|geschieht|mache?)|haben sie|(?<! oft )(?:soll|muss) ich|kann ich|darf ich|ko(?:e)?nnte ich|ho(?:e)?ren sie dann|werden sie|wenn ich sage?|ob",
  ],
  polite: [
    "ko(?:e)?nnen sie|ko(?:e)?nnten sie|wu(?:e)?rden sie|ko(?:e)?nnt ihr|kannst du|(?:ja|okay|ok|bitte|verstanden|klar|gut)(?= $)|wie oft",
  ],
  reported: [
    "(?:er|mann|frau|mutter|mama|vater|papa|tochter|sohn|chef|chefin|kollege|kollegin|kollegen|nachbar|nachbarin|freund|freundin|bruder|schwester|jemand|niemand|anwalt|arzt|oma|opa|man|leute|dame|herr|partner|sekreta(?:e)?rin) (?:\\w+ ){0,3}(?:sagt|sagte|gesagt|sagen|meint|meinte|gemeint|will|wollte|mo(?:e)?chte|bat|gebeten|hat|verlangt|ruft|rief)",
    "hat (?:\\w+ ){0,3}gesagt|sag(?:en sie)? (?:ihm|ihr|ihnen|denen|ihrem|ihrer)|es hei(?:ss|ß)t",
  ],
  voicemail: [
    "mailbox|anrufbeantworter|signalton|piepton|nach dem (?:ton|piep\\w*|signal\\w*)|hinterlass\\w*|nicht erreichbar|sprachnachricht|nicht verfu(?:e)?gbar|nicht da",
  ],
};
