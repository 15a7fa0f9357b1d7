import type { Texts } from "../../texts/en.ts";
import type { DoNotCallKey } from "./en.ts";

export const tr: Texts<DoNotCallKey> = {
  title: "Arama yasağı",
  told: "Bu listedeki hiç kimse aranmaz. Liste her aramanın hemen öncesinde okunur.",
  empty: "Listede henüz kimse yok. İlk numarayı ekleyin.",
  add: "Numara ekle",
  number: "Numara",
  reason: "Neden",
  added: "Listeye alındı",
  paste: "Numaraları yapıştır",
  items: "Her satıra bir numara; virgülden sonra kendi nedeni",
  "reason.all": "Nedeni olmayanlar için neden",
  submit: "Listeye ekle",
  report: "{added} eklendi, {existing} zaten vardı, {rejected} reddedildi",
  "rejected.line": "Satır {line}: {number}, {why}",
  "why.not_e164": "+905321112233 biçiminde değil",
  "why.not_possible": "hiçbir numara bu kadar uzun ya da kısa olamaz",
  remove: "Kaldır",
  "remove.title": "{number} listeden kaldırılsın mı?",
  "remove.told": "Bundan sonra yeniden aranabilir.",
  actions: "İşlemler",
};
