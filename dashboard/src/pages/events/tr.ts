import type { Texts } from "../../texts/en.ts";
import type { EventsKey } from "./en.ts";

export const tr: Texts<EventsKey> = {
  title: "Olay günlüğü",
  told: "Aramalara, kampanyalara ve ekiplere ne olduysa, en yenisi en üstte.",
  empty: "Henüz bir şey olmadı.",
  "empty.filtered": "Böyle bir olay yok.",
  types: "Türler",
  "types.hint": "Aralarında virgülle olay adları",
  stream: "Neyin olayları",
  "stream.hint": "Bir aramanın, kampanyanın ya da ekibin kimliği",
  "thing.call": "Arama",
  "thing.campaign": "Kampanya",
  "thing.squad": "Ekip",
  "thing.open": "Sayfasını aç",
  held: "{count} yeni olay. Göster",
  bad: "Bunlar olay adı değil.",
};
