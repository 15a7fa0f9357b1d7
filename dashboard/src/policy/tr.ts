import type { Texts } from "../texts/en.ts";
import type { PolicyKey } from "./en.ts";

export const tr: Texts<PolicyKey> = {
  callableHours: "İnsanlar şu zamanlarda aranır: {hours}",
  attemptsPerNumber: "Bir numara, bütün kampanyalar ve tek aramalar birlikte, en çok {limits} aranır.",
  "attempts.day": "günde {count} kez",
  "attempts.week": "haftada {count} kez",
  "attempts.month": "ayda {count} kez",
  oneCallAtATime: "Görüşmede olan bir numara ikinci kez aranmaz.",
  requireConsent: "Yalnızca aranmayı kabul etmiş kişiler aranır.",
  listMaxAgeDays: "Resmî bir liste {days} günden eskiyse ya da hiç yoksa kimse aranmaz.",
  eligibility: "Her aramadan önce şu adrese sorulur ve {seconds} içinde yanıt beklenir:",
  exceptSingleCalls:
    "Tek aramalarda yalnızca listelere ve aynı anda tek görüşmeye bakılır. Yine de sayılırlar.",
  adds: "Bunun yanında, bütün kampanyalar ve tek aramalar için ortak kurallar geçerlidir:",
  "adds.look": "Kurallara bak",
  "kind.own": "Kendi listeniz",
  "kind.registry": "Resmî liste",
  "kind.litigators": "Dava açanlar",
  "kind.other": "Diğer",
  none: "Kural yok: kimse bekletilmiyor.",
};
