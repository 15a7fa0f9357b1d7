import { type OptOutWords, thenOnly, upTo } from "./opt-out-words.ts";

const AGAIN =
  "(?:(?:nunca )?mas|nunca|jamas|otra vez|de nuevo)(?! (?:senora?|senorita|senores|don|asi|como|tarde|de (?!nuevo )|por (?!favor )))";
const CALL_ME =
  "(?:me|nos) (?:llam(?:en|e|es|eis)|contact(?:en|e|es)|molest(?:en|e|es)|marqu(?:en|e|es)|telefone(?:en|e))";
const TO_CALL = "(?:llamar|contactar|molestar|marcar|telefonear)";
const HERE = "(?:(?:a|en) (?:este|mi) (?:numero|telefono)|aqui|aca|a esta casa|a mi casa)";
const ENDS = thenOnly(
  "por favor|porfavor|gracias|adios|vale|ok|de acuerdo|no me interesa|no estoy interesad[oa]|ya",
);
const LIST =
  "(?:de|en) (?:la|su|sus|esta|esa|todas sus|tu|vuestra|el|los) (?:lista|listas|base|bases|sistema|sistemas|registros?|directorio)(?! de (?:espera|invitados|precios))";
const NUMBER = "(?:mi|este|nuestro) (?:numero|telefono|celular|nombre)";
const NOT_NO =
  "(?<! (?:no|nunca|ni|el|ella|ellos|ellas|nadie|gente|marido|esposo|esposa|mujer|novio|novia|madre|padre|hijo|hija|jefe|jefa) (?:me |nos |lo |te )?)";
const AWAY = "(?:borr|elimin|quit|saqu|retir|tach)(?:en|e|a|ar|arian?)";
const SAC = "(?:sac(?:a|ar))";
const COULD = "(?:puede|pueden|podria|podrian|puedes|podrias|podeis|quiere|quieren)";
const WANT = "(?:quiero|queremos|deseo|deseamos|quisiera)";

export const SPANISH: OptOutWords = {
  asks: [
    `no ${CALL_ME} (?:por favor )?(?:ya )?${AGAIN}`,
    `no ${CALL_ME}${ENDS}`,
    `(?:nunca|jamas) (?:mas )?(?:${CALL_ME}|(?:me|nos) vuelv(?:an|a|as) a ${TO_CALL})`,
    `no (?:me |nos )vuelv(?:an|a|as|ais) (?:nunca |jamas )?a ${TO_CALL}`,
    `no vuelv(?:an|a|as|ais) (?:nunca |jamas )?a ${TO_CALL}(?:me|nos)`,
    `no vuelv(?:an|a|as|ais) (?:nunca |jamas )?a ${TO_CALL}(?: ${HERE}|(?: ${AGAIN})?${ENDS})`,
    `ya no (?:${CALL_ME}|(?:me|nos) est(?:en|e|es) llamando|(?:me|nos) sig(?:an|a|as) llamando)|no (?:me|nos) sig(?:an|a|as) llamando|no sig(?:an|a|as) llamando(?:me|nos)?`,
    "agradec\\w+ que no (?:me|nos) llam(?:aran|ara|asen)",
    `no llam(?:en|e|es) (?:${HERE} )?${AGAIN}(?: ${HERE}|${ENDS})`,
    `${NOT_NO}(?:dej(?:en|e|a|ad)|par(?:en|e|a|ad)) (?:ya )?de ${TO_CALL}(?:me|nos)${thenOnly("por favor|gracias|ya|mas|adios|vale|de una vez|que no", HERE)}`,
    `${NOT_NO}(?:dej(?:en|e|a|ad)|par(?:en|e|a|ad)) (?:ya )?de ${TO_CALL}(?: ${HERE}|${ENDS})`,
    `${COULD} (?:por favor )?(?:dejar|parar) de ${TO_CALL}(?:me|nos)`,
    `no ${WANT} (?:que|volver a) (?:${CALL_ME} ${AGAIN}|${CALL_ME}${ENDS}|(?:me|nos) vuelv(?:an|a|as) a ${TO_CALL}|(?:me|nos) (?:sig(?:an|a)|esten?) llamando|recibir (?:mas |sus |estas )?llamadas)`,
    `no ${WANT} (?:recibir )?(?:mas|sus|estas|ninguna|otra) llamadas?`,
    `no mas llamadas`,
    `${NOT_NO}(?:${AWAY}|${SAC})(?:me|nos) (?:por favor )?${LIST}`,
    `${NOT_NO}(?:me|nos) ${AWAY} (?:por favor )?${LIST}`,
    `${NOT_NO}(?:${AWAY}|${SAC}) ${upTo(1, "por favor", "ya")}${NUMBER}${thenOnly("por favor|gracias|ya|adios", LIST, "del (?:sistema|registro|listado)")}`,
    `(?:ponganme|pongame|ponme|anotenme|anoteme|incluyanme|agreguenme|ponga mi numero) en (?:la|su|una) lista (?:de no (?:llamar|llamadas|molestar)|robinson|negra|de exclusion)`,
  ],
  conditions: [
    "antes|despues|hoy|manana|mananas|mediodia|horas?|horario|hasta|mientras|cuando|a menos|salvo|excepto|durante|entre|desde|siempre que|en cuanto",
    "(?<! buenas )(?:tardes?|noches?)|semanas?|mes|meses|anos?|dias?(?<! buenos dias)|lunes|martes|miercoles|jueves|viernes|sabados?|domingos?|vacaciones|feriados?|festivos?|navidad",
    "(?<!^ )si (?!(?:me )?(?:vuelve|vuelven|llaman) (?:a llamar|otra vez|de nuevo))",
    "trabajo|trabajando|trabaje|oficina|reunion|manejando|conduciendo|durmiendo|ocupad[oa]|enferm[oa]|casa|al (?:movil|celular|fijo|trabajo)|movil|fijo|correo|e ?mails?|mensajes?|whatsapp|sms|escrib\\w+|mejor|solo|solamente|unicamente|oculto|privado|en (?:vez|lugar)",
    "temprano|tan|tanto|todos los|todas las|cada|seguido|ahora|por el momento|(?:en|de) (?:este|ese) momento|yo (?:los|las|les|le|lo|la|te) \\w+|(?:los|les|le|lo|la|te) (?:llamo|llamare)|sobre|respecto|acerca|para",
  ],
  negated: [
    "no (?:lo |los |les |le |me |nos )?(?:dej\\w+|borr\\w+|elimin\\w+|quit\\w+|saqu\\w+|pare\\w*|dije|digo|he dicho|estoy diciendo|estamos diciendo|quise decir|hace falta|es necesario|tienen? que|estoy pidiendo)",
    "(?:no|nunca) (?:\\w+ ){0,1}(?:dije|dicho|pedi|pido) (?:que|eso)|no quiero (?:que )?(?:dej|borr|elimin|quit|saqu)\\w+|no quiero que (?:me |nos )?(?:dej|borr|elimin|quit|saqu)\\w+|cuando quier\\w+|(?:pueden?|puedes) (?:seguir )?llam\\w+|sigan llamando(?=me )",
  ],
  questions: [
    "como (?:salgo|puedo|hago|me|se|le|debo)|cuando (?:van?|vas|dejaran?)|por ?que no|que (?:pasa|pasaria|sucede|hago)|van? a (?:dejar|borrar|quitar|parar|llamar)|puedo|podria yo|si digo|debo|tengo que|es posible|hay (?:alguna )?(?:manera|forma)|(?:dijo|dijiste|han dicho) (?:que )?no",
  ],
  polite: [
    "puede|pueden|podria|podrian|puedes|podrias|por favor|(?:de acuerdo|ok|okay|vale|si|entendido|gracias|claro|me oye|entiende|bien)(?= $)|cuantas veces",
  ],
  reported: [
    "(?:el|ella|ellos|ellas|marido|esposo|esposa|mujer|pareja|mama|madre|papa|padre|hijo|hija|hijos|hermano|hermana|jefe|jefa|companer[oa]s?|amig[oa]s?|alguien|nadie|abogado|medico|senora|senor|vecin[oa]|gente|suegr[oa]|abuel[oa]) (?:\\w+ ){0,3}(?:dijo|dice|dicen|dijeron|dicho|decia|pidio|pide|piden|pidieron|quiere|quieren|queria)",
    "(?:ustedes|usted|me) (?:\\w+ ){0,1}(?:dijeron|dijo|prometieron|prometio|pidio)|segun|(?:digan?|di)(?:le|les)|dile|diles",
  ],
  voicemail: [
    "buzon|contestador|(?:la senal|del tono|el tono|del pitido)|dej(?:e|a|en|ar) (?:su|un|tu|me un|sus|el) (?:mensaje|nombre|datos)|(?:no esta|no se encuentra) disponible|no pod\\w+ (?:atender|contestar)\\w*|no puedo (?:atender|contestar)\\w*|intente(?:lo)? mas tarde",
  ],
};
