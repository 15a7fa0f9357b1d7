import type { Texts } from "../../texts/en.ts";
import type { PrivacyKey } from "./en.ts";

export const tr: Texts<PrivacyKey> = {
  title: "Kişisel veriler",
  told: "Bir aramada söylenenler ve kaydı kalıcı olarak silinebilir. Ne zaman olduğu, ne kadar sürdüğü, nasıl bittiği ve kaça mal olduğu kalır.",
  "retention.title": "Söylenenler ne kadar saklanır",
  "retention.days": "Aramanın bitişinden sonra gün",
  "retention.hint": "1 ile 3650 arası. Boş: elle silinene kadar.",
  "retention.confirm": "Söylenenler {days} gün saklansın mı?",
  "retention.told":
    "Daha önce biten aramalarda söylenenler ve kayıtları bir dakika içinde, ötekiler süreleri dolunca silinir. Geri getirilemez.",
  "retention.keep": "Kaydet",
  "number.title": "Bir numaraya söylenen her şeyi sil",
  "number.number": "Telefon numarası",
  erase: "Söylenenleri sil",
  "call.title": "Bu aramada söylenenler silinsin mi?",
  "number.confirm": "{number} numarasıyla yapılan tüm aramalarda söylenenler silinsin mi?",
  "erase.told":
    "Mesajlar, karşılama, yönergeler ve kayıt; burada, henüz teslim edilmemiş webhook'larda ve operatörde silinir. Geri getirilemez. Teslim edilmiş webhook'lar geri alınmaz.",
  done: "Silindi: {calls} arama, {recordings} kayıt, {deliveries} teslimat.",
  "done.none": "Bu numarayla yapılan hiçbir aramada söz yoktu.",
  list: "Silinenler",
  "list.none": "Henüz hiçbir şey silinmedi.",
  what: "Kapsam",
  "kind.call": "Bir arama",
  "kind.phone_number": "Bir numaranın tüm aramaları",
  "kind.retention": "Süresi doldu",
  calls: "Aramalar",
  recordings: "Kayıtlar",
  deliveries: "Teslimatlar",
  begun: "İstek zamanı",
  status: "Durum",
  "status.running": "Siliniyor",
  "status.done": "Silindi",
};
