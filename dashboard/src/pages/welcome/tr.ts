import type { Texts } from "../../texts/en.ts";
import type { WelcomeKey } from "./en.ts";

export const tr: Texts<WelcomeKey> = {
  title: "İlk aramanız",
  intro: "Üç alan; sonra bu sayfadaki telefon çalar ve bir asistan sizi adınızla karşılar.",
  "your-name": "Adınız",
  "your-name.hint": "Karşılamada {placeholder} olan yerde söylenir",
  number: "Arayan numara",
  "number.hint": "Denemede her numara olur; operatör sizin olan bir numara ister",
  greeting: "Karşılama",
  "greeting.in": "Karşılama dili",
  call: "Beni ara",
  steps: "Olanlar",
  "step.number": "Numara eklenir",
  "step.assistant": "Asistan oluşturulur",
  "step.publish": "Asistan yayımlanır",
  "step.call": "Arama başlatılır",
  over: "İlk aramanız buydu.",
  "over.told": "Aynı karşılama bir listedeki herkese gidebilir: her biri kendi adını duyar.",
  campaign: "Bundan bir kampanya yap",
  "look-call": "Aramayı görüntüle",
  "look-assistant": "Asistanı düzenle",
  again: "Beni yeniden ara",
  "no-scope": "Bu anahtar ilk aramanın gerektirdiği her şeyi yapamaz: {scopes} gerekir.",
};
