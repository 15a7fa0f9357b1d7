import { type OptOutWords, thenOnly, upTo } from "./opt-out-words.ts";

const ME = "(?:beni|bizi|(?:bu|su) (?:numarayi|telefonu)|numarami|burayi|evimi)";
const ADDED = [
  "artik",
  "bir daha",
  "lutfen",
  "asla",
  "sakin",
  "hic",
  "de",
  "da",
  "telefonla",
  "rica ediyorum",
  "daha",
  "ne olur",
];
const CALL_NOT = `(?:aramayin(?:iz)?|arama${thenOnly("artik|lutfen|bir daha|beni|bizi|tamam|yeter|dedim|sakin|tesekkur\\w*|iyi gunler|iyi aksamlar")})`;
const SOMEBODY =
  "(?<! (?:annemi|babami|esimi|kocami|karimi|kizimi|oglumu|kardesimi|ablami|abimi|onu|onlari|polisi|ambulansi|sirketi) )";
const AWAY =
  "(?:silin(?:iz)?|sil|silsene|siler misin(?:iz)?|silebilir misin(?:iz)?|(?:cikar|cikart)(?:in(?:iz)?|(?:ir|abilir)? misin(?:iz)?)?|cikartir misin(?:iz)?|kaldirin(?:iz)?|kaldirir misin(?:iz)?|cikarmanizi (?:istiyorum|rica ediyorum)|silmenizi (?:istiyorum|rica ediyorum))";
const LIST =
  "(?:(?:arama|telefon|musteri|sizin) )?(?:liste\\w*den|listeler\\w*den|sistem\\w*den|kayit\\w*dan|rehber\\w*den|veri ?taban\\w*dan)";

export const TURKISH: OptOutWords = {
  asks: [
    `${SOMEBODY}bir daha ${upTo(3, ME, ...ADDED)}${CALL_NOT}`,
    `${ME} ${upTo(3, ...ADDED)}aramayin(?:iz)?`,
    `${ME} ${upTo(3, ...ADDED)}arama${thenOnly("artik|lutfen|bir daha|tamam|yeter|dedim|sakin")}`,
    `artik ${upTo(3, ME, ...ADDED)}${CALL_NOT}${thenOnly("lutfen|beni|bizi|tamam|yeter|dedim")}`,
    `aramayin(?:iz)? ${upTo(2, "lutfen", "artik")}(?:beni|bizi|artik|bir daha|burayi|bu numarayi)`,
    "(?<=^ (?:lutfen )?)aramayin(?:iz)?(?= (?:lutfen |artik )?$)",
    "aranmak istemiyor(?:um|uz)",
    "aramani(?:zi)? (?:artik |bir daha )?istemiyor(?:um|uz)",
    "aramayi (?:artik |lutfen )?(?:birak(?:in(?:iz)?|ir misin(?:iz)?)?|kes(?:in(?:iz)?|er misin(?:iz)?)?)|aramaktan vazgec(?:in(?:iz)?)?",
    `(?<! (?:eski|yeni) )numara(?:mi|mizi) ${upTo(3, "lutfen", "artik", "hemen", "da", "de", "derhal", LIST)}${AWAY}`,
    `(?:beni|bizi) ${upTo(3, "lutfen", "artik", "hemen", "da", "de", "derhal", "su", "bu", "o")}${LIST} ${upTo(2, "lutfen", "artik", "hemen")}${AWAY}`,
    "(?:bir daha|artik) (?:beni |bizi )?(?:aramaz misin(?:iz)?|aramazsan(?:iz)? (?:cok )?(?:sevinir\\w+|memnun olur\\w+|mutlu olur\\w+|iyi olur))",
    "bir daha (?:beni |bizi |lutfen )?rahatsiz etme(?:yin(?:iz)?)?|bir daha (?:bana |bize )?telefon (?:etme|acma)(?:yin(?:iz)?)?",
  ],
  conditions: [
    "once|sonra|bugun|bu gun|yarin|dun|saat|saat(?:te|ler\\w*|inde|i)|gunler(?:i|de|inde)|gunu|gunlerde|her gun|hergun",
    "pazar(?:lari|tesi\\w*)?|sali\\w*|carsamba\\w*|persembe\\w*|cuma\\w*|cumartesi\\w*|hafta\\w*|ay|aylar|yil|yilbasi|bayram\\w*",
    "(?<! iyi )(?:sabah\\w*|aksam\\w*|gece\\w*)|ogle\\w*|kadar|\\w{2,}ken|surece|\\w+(?:dikca|dikce|dukca|dukce|madan|meden)|eger",
    "\\w+(?:mazsa|mezse|mazsam|mezsem|ilse|ilsem|irsa|irse|ursa|urse|arsa|erse|orsa|orsam|orsaniz|arsaniz|erseniz|irsaniz|irseniz)|degilse|varsa|yoksa|acil\\w*",
    "su an\\w*|suan\\w*|simdi\\w*|gec|erken|sik|surekli|toplanti\\w*|yemekte\\w*|\\w{3,}(?:dayim|deyim|tayim|teyim)|sofra\\w*|mesai\\w*|is yer\\w*|iste|isteyim|calisi\\w*|musait\\w*|mesgul\\w*|tatil\\w*|izin\\w*|uyku\\w*|uyuyo\\w*|hasta\\w*|araba\\w*",
    "cep\\w*|evden|ev telefonu\\w*|sabit\\w*|mesaj\\w*|mail\\w*|e posta\\w*|whatsapp\\w*|sms|yazin|gizli\\w*|baska\\w*|yerine|haric|disinda|sadece|yalniz\\w*|bu kadar",
    "ben (?:sizi|seni|ararim|arayacagim|donerim)|(?:sizi|seni) (?:ben )?(?:ararim|arariz|arayacagim)|hakkinda|konuda|konusunda|icin|bosuna|yerde|bekleme",
  ],
  negated: [
    "dem(?:edi|iyor|em|ek istem|emis|emist)\\w*|(?:birak|sil|cikar|cikart|kes)(?:ma|me)(?:yin(?:iz)?)?|ar(?:ayabilir|ayin|ayiniz)\\w*|istedigin\\w* zaman|soylemedi\\w*|istemedim",
  ],
  questions: [
    "nasil|ne zaman|neden|niye|nicin|hangi|m[iu] de(?:din|mistin|dim)\\w*|de(?:rsem|sem|rsek)|\\w+(?:acak|ecek) mi(?:sin(?:iz)?)?|gerek\\w* mi|miyim|(?<! (?:tamam|anladin|anladiniz|anlasildi|oldu) )mi(?= $)|ne olacak|ne oluyor|merak",
  ],
  polite: [
    "(?:siler|silebilir|cikarir|cikarabilir|cikartir|cikar|kaldirir|birakir|keser|aramaz) misin(?:iz)?|tamam mi|anladin(?:iz)? mi|anlasildi mi|olur mu|lutfen|kac (?:kere|kez|defa)",
  ],
  reported: [
    "dedi|dediler|demis|demisler|demisti|diyor|diyorlar|diyordu|diyen\\w*|der|derdim|derler|dememis\\w*|soyledi|soylediler|soylemis|soyluyor|istedi|istiyor|istemis|(?:ona|onlara) soyle\\w*|soyleyin|dediniz|demistiniz|diye (?:soyle|yaz|tuttur)\\w*",
  ],
  voicemail: [
    "(?:sinyal|bip|uyari) ses\\w*|mesaj\\w* (?:\\w+ ){0,3}birak\\w*|mesajiniz\\w*|telesekreter\\w*|sesli mesaj\\w*|ulasilamiyor|ulasilamamaktadir|kullanilmamaktadir",
    "telefon\\w* (?:\\w+ ){0,2}(?:bakamiyor|cevap veremiyor|acamiyor)\\w*|cevap veremiyor\\w*|mesai saatleri\\w* disinda",
  ],
};
