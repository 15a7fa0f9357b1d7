import { type OptOutWords, thenOnly, upTo } from "./opt-out-words.ts";

const CALL = "(?:call|phone|ring|contact|bother|telephone|harass|disturb)";
const CALLING = "(?:calling|phoning|ringing|contacting|bothering|telephoning|harassing|disturbing)";
const HERE =
  "(?:me|us|here|back|me back|us back|(?:this|my|our) (?:phone |telephone )?(?:number|phone|house|line))";
const AGAIN = "(?:again|any ?more|ever|in the future|for good|at all)";
const ENDS = thenOnly(
  "please|okay|ok|now|then|thanks|thank|bye|goodbye|just|already|people|guys|folks|will you|would you",
  "(?:i am|im) (?:not interested|serious|done|tired|sick of)|i (?:said|mean it|told you)|not interested",
  "you (?:idiots?|people|guys|hear|understand|scammers?|have the wrong)|this is|its|do you (?:hear|understand)",
  "(?:and |or )?(?:take me|remove|delete|lose|dont (?:ever )?call|do not (?:ever )?call|never|stop|put me)",
);
/** A statement (`you never call me`), not a wish. */
const NOBODY =
  "(?<! (?:you|they|he|she|we|i|it|who|people|nobody|why|will|would|did|does|do|has|have|could|should) )";
/** The same for words that `you` may stand before: `could you stop calling`. */
const OTHERS =
  "(?<! (?:i|id|ill|they|he|she|we|it|who|people|nobody|will|wont|would|did|does|do|could|should|can|cant|never|ever|not) )";
const DO_NOT = "(?:never|dont|do not|not to|to not|to never|never to)";
const TELL = "(?:told|tell|telling|asked|ask|asking|want|need|beg|begging|like|sure)";
const YOU = "(?:you|you people|you guys|you all|yall|your company)";
const NUMBER = "(?:my|this|our) (?:phone |telephone |mobile |cell |cell ?phone )?(?:number|name|details)";
const OUR_LIST =
  "(?:your|the|this|that|whatever|all|any|every|all your|all of your) (?:(?:calling|call|calls|phone|contact|marketing|telemarketing) )?(?:lists?|database|systems?|records|register|files?)(?! of (?!people |numbers |yours ))";

export const ENGLISH: OptOutWords = {
  asks: [
    `${NOBODY}${DO_NOT} ${upTo(2, "you", "ever", "please", "even", "just")}${CALL} (?:${HERE} )?${AGAIN}`,
    `${NOBODY}${DO_NOT} ${upTo(2, "you", "ever", "please", "even", "just")}${CALL} ${HERE}${ENDS}`,
    `${TELL} ${YOU} (?:please )?(?:${DO_NOT}|you) (?:ever )?${CALL} (?:${HERE} ${AGAIN}|${HERE}${ENDS}|${AGAIN})`,
    `(?:can|could|would|will) you (?:please |just )?(?:not|never) (?:ever )?${CALL} (?:${HERE} ${AGAIN}|${HERE}${ENDS}|${AGAIN})`,
    `mind not ${CALLING} (?:${HERE} ${AGAIN}|${HERE}${ENDS}|${AGAIN})`,
    `(?:dont|do not|no longer|never) want (?:${YOU}|anyone|anybody) (?:to )?(?:${CALL}|${CALLING}) (?:${HERE} ${AGAIN}|${HERE}${ENDS}|${AGAIN})`,
    `(?:dont|do not|no longer|never) (?:want|wish|wanna) (?:to )?(?:be|get) (?:called|contacted|phoned|bothered) (?:${AGAIN}|by you)`,
    "(?:dont|do not|no longer|never) (?:want|wish) (?:to )?hear from you(?: guys| people)?",
    `(?:dont|do not|no longer) (?:want|wish|wanna) (?:to )?(?:(?:get|have|receive) )?(?:any ?more|any|more|your|these) (?:more )?(?:of (?:your|these) )?(?:phone ?)?calls${thenOnly("from you", "from your company", AGAIN, "please|okay|ok|thanks|thank|bye")}`,
    `no more (?:phone )?calls${thenOnly("from you", "please|okay|ok|thanks|thank|bye", AGAIN)}`,
    `${OTHERS}(?:stop|quit|cease) (?:please )?${CALLING}(?: ${HERE})?(?: ${AGAIN}|${ENDS})`,
    `(?:take|remove|get|delete|drop|cross|strike) (?:me|us|${NUMBER}) (?:please )?(?:off(?: of)?|from|out of) ${OUR_LIST}`,
    `(?:be|get) (?:removed|deleted|taken) (?:off(?: of)?|from|out of) ${OUR_LIST}`,
    `(?:remove|delete|lose|erase|forget) ${NUMBER}${thenOnly(`from ${OUR_LIST}|from your`, "please|okay|ok|thanks|thank|bye|now", "and (?:dont|do not|never|stop)")}`,
    "unsubscribe (?:me|us)|opt (?:me |us )?out of (?:your|these|the|all|any) (?:phone )?calls",
    `(?:put|add|place) (?:me|us|${NUMBER}) (?:on|to|onto|in) (?:your|the|a) (?:do not|dont|no) call (?:list|registry|register)`,
  ],
  conditions: [
    "before|until|till|unless|except|during|while|when|whenever|after|between|past|since|once",
    "if (?!you (?:ever |keep )?call(?:ing)? (?:me |here |us )?(?:again|one more time|once more) (?:i|ill|im|we|my|the) )",
    "today|tonight|tomorrow|mornings?|evenings?|afternoons?|(?<! good )nights?|noon|midnight|lunch(?:time)?|dinner(?:time)?|breakfast",
    "(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weeks?|months?|years?|hours?|minutes?|days?|oclock|o clock|pm|p m",
    "(?:\\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (?:am|a m)|at (?:\\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)",
    "early|earlier|late|later|often|every|always|all the time|so much|only|(?:right|not|for|just) now (?!stop|take|remove|dont|never)|at the moment|(?:at|until) (?:this|that) time|this time of|(?:an)?other time|next time|for (?:a|the) (?:while|moment|next)|temporarily",
    "work|working|office|school|meeting|driving|busy|sleep(?:ing)?|asleep|sick|holidays?|vacation|hospital|home|have time|no time|cant talk|cannot talk|christmas|easter",
    "mobile|cell|cell ?phone|landline|other (?:number|phone|line)|e ?mails?|text|texts|sms|whatsapp|letter|write|instead|rather than|unknown|private|hidden|withheld",
    "(?:i|ill|i will|we|well|we will|let me|i can|id rather) (?:call|ring|phone|contact) (?:you|back)|(?:you can|you may|just) (?:call|ring|phone|try)|call (?:my|him|her|them|the)",
    "about|regarding|concerning|again (?:for|with|from|to|in|at|on|as) (?!your |you |any ?more)",
  ],
  negated: [
    `(?:dont|do not|never|not|didnt|did not|wouldnt|would not|cannot|cant|wont|without|no need to|isnt|havent|have not) ${upTo(5, "ever", "please", "you", "just", "want", "need", "have", "to", "be", "going", "really", "think", "ask", "asked", "get", "me", "wrong", "i", "dont", "mean", "actually", "saying")}(?:stop|stopping|quit|remove|removed|delete|deleted|take|taken|unsubscribe|lose|erase|mean|meant|say|said|saying|tell|told|ask you)`,
    "any ?time|keep (?:on )?calling|(?:you can|you may|can still|feel free to|happy for you to|please do|welcome to) (?:still |always )?(?:call|ring|phone)|(?:dont|do not) mind",
  ],
  questions: [
    "can i ask|may i ask|could i ask|can i|may i|should i|shall i|(?<!how (?:many times|often) )do i|did i|am i|how (?:do|can|could|would|to|about)|what (?:happens|if|does|would|do)|is (?:there|it|that)|are (?:you|there)|were you|did (?:you|he|she|they)|do you (?!hear|understand)|have you|who (?:put|told|said|asked)|why (?:do|dont|did|should|would|cant|wont)",
    "when (?:will|are|do|would)|(?<!calling (?:me |us |here )?)(?:will|wont) you (?!please|kindly)|(?:if|when|because|after|suppose) (?:i|we|someone|somebody|you) (?:say|said|tell|told|ask)|i wonder|wondering",
  ],
  polite: [
    "(?:can|could|would) (?:you|u)|will you please|(?:okay|ok|alright|all right|right|please|will you|would you|got it|clear|understood|understand|you hear me|hear me|thanks|thank you)(?= $)|how many times",
  ],
  reported: [
    "(?:he|she|they|it|husband|wife|partner|mother|mom|mum|father|dad|brother|sister|son|daughter|kids?|boss|manager|doctor|lawyer|somebody|someone|everybody|everyone|nobody|people|friends?|neighbou?rs?|colleagues?|lady|woman|man|guy|gentleman|girl|agent|company|police|roommate|grandma|grandmother|grandpa|secretary|recording|machine|message|letter) (?:\\w+ ){0,3}(?:told|tells|tell|said|says|say|saying|ask|asks|asked|asking|wants|wanted|promised|wrote|thinks|begged)",
    "(?:you|you guys|you people) (?:\\w+ ){0,1}(?:said|told me|told us|promised|mentioned|wrote)|(?:told|asked) (?:me|us|him|her|them) (?:to|that|not|never)|tell (?:him|her|them|your)|according to|quote|it says",
  ],
  voicemail: [
    "you have reached|youve reached|you reached|(?:leave|leaving|record) (?:\\w+ ){0,4}(?:message|name|number|details)|(?:after|at|following) the (?:tone|beep|signal)|voice ?mail|voice messag\\w+|answering machine",
    "(?:cant|cannot|unable to|not able to) (?:come to|get to|take|answer) (?:the|my|your) (?:phone|call)|is not available|are not available|office hours|does not accept|not in service|your call (?:has|is|will)",
  ],
};
