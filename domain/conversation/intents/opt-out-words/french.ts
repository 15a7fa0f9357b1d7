import { type OptOutWords, thenOnly } from "./opt-out-words.ts";

const PLEASE = "(?:s ?il (?:vous|te) plait|svp|stp)";
const NOT_OTHERS = "(?<! (?:vous|tu|il|elle|on|ils|elles|je|nous|qui|pourquoi) (?:ne )?)";
const CALL_ME =
  "(?:m ?appelez|m ?appelle|(?:me|nous) (?:rappelez|rappelle|contactez|contacte|telephonez|telephone|derangez|derange|harcelez|recontactez)|nous appelez|m ?embetez)";
const TO_CALL_ME =
  "(?:m ?appeler|nous appeler|(?:me|nous) (?:rappeler|contacter|recontacter|telephoner|deranger|harceler)|m ?embeter)";
const HERE = "(?:ici|(?:a |sur )?(?:ce|mon) numero|chez (?:moi|nous))";
const ENDS = thenOnly(
  "merci|s ?il|svp|stp|au revoir|bonne|jamais|ok|okay|d accord|daccord|ca ne|ca m|je ne suis pas interesse\\w*",
  "(?:et )?(?:supprimez|retirez|enlevez|effacez|arretez)",
);
const LIST =
  "(?:de (?:la|votre|vos|ta|cette|toutes vos|tes)|du|des) (?:listes?(?! d ?(?:attente|invites))|fichiers?|base|bases|systeme|registres?|repertoire)";
const NUMBER = "(?:mon|ce|notre) (?:numero|nom|telephone)";
const AWAY = "(?:supprim|retir|enlev|effac|ray|desinscri[vr]|ot)(?:ez|er|e)";
const TO_AWAY = "(?:supprimer|retirer|enlever|effacer|rayer|desinscrire|oter|sortir)";
const ASKED = `(?:pouvez vous|pourriez vous|voulez vous|peux tu|pourrais tu|vous pouvez|vous pourriez|il faut|vous devez|merci d|demande d|prie d) ?${"e? ?"}`;

export const FRENCH: OptOutWords = {
  asks: [
    `${NOT_OTHERS}(?:ne )?${CALL_ME} (?:plus jamais|jamais plus|plus)(?! (?:monsieur|madame|mademoiselle|comme|ainsi|mon|ma|par) )`,
    `${NOT_OTHERS}(?:ne )?${CALL_ME} (?:pas|jamais)${ENDS}`,
    `(?:n ?appelez|appelez|ne rappelez|rappelez|n ?appelle) (?:plus jamais|jamais plus|plus) ${HERE}`,
    `(?:n ?appelez|appelez|ne rappelez|rappelez|n ?appelle) (?:plus jamais|jamais plus|plus)${ENDS}`,
    `(?:de|veuillez|priere de|merci de|d) ne (?:plus jamais|jamais plus|plus) (?:${TO_CALL_ME}|(?:appeler|rappeler) ${HERE}|(?:appeler|rappeler)${ENDS})`,
    `(?:arretez|arrete|cessez|cesse) (?:${PLEASE} )?(?:donc |tout de suite |maintenant )?(?:de|d) ?(?:${TO_CALL_ME}|(?:appeler|rappeler) ${HERE})(?! (?:monsieur|madame|mademoiselle|comme) )`,
    `(?:arretez|cessez) (?:${PLEASE} )?(?:d ?appeler|de rappeler)${ENDS}`,
    `${ASKED}(?:${PLEASE} )?(?:arreter|cesser) (?:de|d) ?${TO_CALL_ME}`,
    `(?:veux|souhaite|desire|voulons|souhaitons|voudrais) plus (?:jamais )?(?:etre (?:re?)?(?:appele|contacte|derange)\\w*|que (?:vous|tu|l on|on) (?:m ?|me |nous )(?:re?)?(?:appel|contact|telephon|derang)\\w+|(?:recevoir )?(?:d ?|de |vos |ces |aucun |des )appels?)`,
    `(?:veux|souhaite|desire) pas (?:etre (?:rappele|recontacte)\\w*|que (?:vous|tu) (?:me |nous )rappel\\w+|recevoir (?:d ?|vos |ces |d autres )appels)`,
    `${AWAY} (?:moi|nous|${NUMBER}) (?:${PLEASE} )?${LIST}`,
    `${AWAY} ${NUMBER}${thenOnly("merci|s ?il|svp|stp|au revoir|ok|et (?:ne|n|arretez)", "de (?:vo\\w+|la liste|cette liste|toutes)|des (?:listes|fichiers)|du (?:fichier|systeme|registre)")}`,
    `(?:me|nous) ${TO_AWAY} (?:${PLEASE} )?${LIST}`,
    "(?:mettez|inscrivez|ajoutez|placez) (?:moi|nous|mon numero) (?:sur|a|dans) (?:votre|la|une) liste (?:d ?opposition|rouge|noire|bloctel|de blocage)",
    `(?<! (?:ai|a|as|avons|recois|recevons|avez) )plus (?:jamais )?(?:d ?|de coups? de )(?:appels?|telephone)${ENDS}`,
  ],
  conditions: [
    "avant|apres|aujourd ?hui|demain|soir|soirs|matin|matins|matinee|midi|nuit|nuits|heures?|h|jusqu\\w*|pendant|durant|quand|lorsqu\\w*|sauf|a moins|tant que|entre|des que|depuis",
    "(?:lun|mar|mercre|jeu|vendre|same)dis?|dimanches?|week ?ends?|semaines?|mois|annees?|an|ans|jours?|vacances|noel|feries?",
    "si (?!(?:vous|tu) (?:m ?appel\\w+|me rappel\\w+|rappel\\w+) (?:encore|une fois|de nouveau))",
    "travail\\w*|boulot|bureau|reunion|conduis|conduire|dors|occupee?|malade|maison|portable|mobile|fixe|e ?mails?|mails?|sms|textos?|courrier|ecrivez|plutot|seulement|uniquement|masque|anonyme",
    "tot|tard|souvent|toujours|tous les|toutes les|sans arret|pour (?:le|l) (?:moment|instant)|en ce moment|pas maintenant|tout de suite pas|je (?:vous |te )?(?:rappelle\\w*|appelle|recontacte\\w*|contacte\\w*)|c ?est moi qui|au sujet|a propos|concernant|pour|j ?attends|numero mais|mais (?:sur|par|au|plutot|vous pouvez)|appelez (?:moi|plutot|le|la|mon)",
  ],
  negated: [
    "(?:n ?)?arretez? pas|(?:ne )?cessez? pas|(?:pas|jamais) dit|dis (?:surtout )?pas|demande pas|ne (?:me |nous )?(?:supprimez|retirez|enlevez|effacez|rayez)|quand vous voul\\w+|n ?importe quand|a tout moment",
    "pas (?:besoin|la peine|question|envie|necessaire)|(?:veux|souhaite) pas (?:\\w+ ){0,3}(?:arret|supprim|retir|enlev|effac)\\w+|pouvez (?:toujours |encore )?(?:m ?appeler|me rappeler|me contacter)|decide de",
  ],
  questions: [
    "comment|pourquoi|quand (?:allez|est|vous)|est ce que|que se passe\\w*|qu ?est ce|puis je|je peux|je pourrais|dois je|faut il|si je (?:dis|demande)|(?:vous )?allez(?: vous)?|avez vous|vous avez dit|y a t il",
  ],
  polite: [
    "pouvez vous|pourriez vous|voulez vous|peux tu|pourrais tu|vous pouvez|vous pourriez|s ?il (?:vous|te) plait|combien de fois|(?:d ?accord|ok|okay|compris|merci|entendu|hein|clair)(?= $)",
  ],
  reported: [
    "(?:(?<! s )il|elle|on|ils|elles|mari|femme|compagnon|compagne|mere|maman|pere|papa|fils|fille|soeur|frere|patron|patronne|chef|collegues?|amie?s?|voisine?|avocat|medecin|dame|monsieur|gens|quelqu ?un|enfants?|copine?) (?:\\w+ ){0,3}(?:dit|dits|disait|disent|demande|demandent|demandait|veut|voulait|voudrait|repete|pense|ecrit|promis)",
    "(?:dites|dis) (?:lui|leur)|m ?a dit|m ?ont dit|m ?a demande|vous (?:m ?)?avez (?:dit|promis)|selon",
  ],
  voicemail: [
    "repondeur|messagerie|boite vocale|(?:le|au|du|un) (?:bip|signal|top)|signal sonore|laiss\\w+ (?:\\w+ ){0,3}(?:messages?|coordonnees|nom)|votre correspondant|(?:pas|actuellement) (?:disponible|joignable)|je ne suis pas (?:la|disponible)",
  ],
};
