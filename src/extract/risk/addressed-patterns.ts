import { A_MODEL, DUTY, MODEL, MODEL_WORDS, NO_SERVICE, NO_TRADE, PAGE, PAGE_WORDS } from './english-words.ts';
import { type RiskPattern, saying } from './risk-pattern.ts';

/** Legitimate requests of sites to programs that read them. */
const NO_POLICY =
  '(?! ?(?:respect|credit|cite|attribute|honou?r|contact|identify|obey robots|name the author|link back|comply with|not (?:be|use|train|store|copy)))';
const READING =
  'reading reads read summarizing summarising summarizes summarises processing processes visiting visits parsing crawling';
const TRADES =
  'payment|billing|shopping|coding|browsing|email|support|booking|travel|research|finance|purchasing|buying|sales|review|reviewer|security|moderation';
const TO_REACH = 'include add append insert mention cite link visit open click go navigate fetch download';

/** Words that are meant for models and not for people. */
export const ADDRESSED: readonly RiskPattern[] = [
  saying(
    `if when since because as case should | 3 you this reader | 3 are re be is as | 10 ${MODEL_WORDS}`,
    `(?:if|when|since|because|as|in case|should) (?:you(?: are|'re| happen to be| be)|this is|your reader is|the reader is|you as)(?: reading this (?:and are|as)| currently| actually| being)? (?:an? |the |any |some (?:kind|sort) of )?(?:${MODEL}\\b${NO_TRADE})`,
    { rule: 'addressed-to-models', strength: 0.65, begins: 'if when since because as in should' },
  ),
  saying(
    `if when since because should | 2 you this | 3 are re be is | 8 ${MODEL_WORDS}`,
    `(?:if|when|since|because|should) (?:you(?: are|'re| happen to be| be)|this is)(?: reading this (?:and are|as)| currently| actually)? (?:an? |the |any )?(?:${MODEL}\\b${NO_TRADE}${NO_SERVICE})[^.!?]{0,80}?(?:,|:|;| -|\\bthen\\b) ?(?:then |please |also ){0,2}${DUTY}\\b${NO_SERVICE}`,
    { rule: 'addressed-to-models' },
  ),
  saying(
    `${MODEL_WORDS} | 9 reading read reads visiting visit visits processing process processes summarizing summarising summarize summarise summarizes summarises crawling parsing scraping indexing ingesting analyzing analysing analyze analyse analyzes analyses reviewing evaluating viewing accessing encountering encounter encounters | 1 this the these`,
    `${MODEL}(?: (?:systems?|models?))?(?: or (?:\\w{1,20} ){1,3}| and (?:\\w{1,20} ){1,3}|,? )(?:that (?:is |are )?|which (?:is |are )?|who (?:is |are )?|currently )?(?:reading|reads?|visiting|visits?|processing|process(?:es)?|summari[sz](?:ing|es?)|crawling|parsing|scraping|indexing|ingesting|analy[sz](?:ing|es?)|reviewing|evaluating|viewing|accessing|encountering|encounters?) (?:${PAGE}|this(?: \\w{1,20})?|these (?:\\w{1,20}))\\b[^.!?]{0,60}?(?:\\b(?:must|should|shall|needs?|(?:is|are) (?:hereby |now )?(?:to|required|instructed|asked|ordered|obliged)|has to|have to|will|please|may not)\\b|:|,)${NO_POLICY}${NO_SERVICE}`,
    { rule: 'addressed-to-models', begins: A_MODEL },
  ),
  saying(
    'assistant assistants agent agents bots models crawlers tools | 3 reading read reads visiting visit visits processing process processes summarizing summarising summarize summarise summarizes summarises crawling parsing scraping indexing ingesting analyzing analysing analyze analyse analyzes analyses reviewing evaluating viewing accessing encountering encounter encounters | 1 this the these',
    `(?:assistants?|agents?|bots|models|crawlers|tools) (?:that (?:is|are) |currently )?(?:reading|parsing|processing|visiting|summari[sz]ing|crawling|scraping|indexing|analy[sz]ing|reviewing|viewing|accessing) (?:${PAGE}|this(?: \\w{1,20})?|these \\w{1,20})\\b[^.!?]{0,40}?\\b(?:must|should|shall|needs? to|(?:is|are) (?:to|required|instructed|asked|ordered|obliged)|has to|have to)\\b${NO_POLICY}${NO_SERVICE}`,
    {
      rule: 'addressed-to-models',
      strength: 0.9,
      begins: 'assistant assistants agent agents bots models crawlers readers tools',
    },
  ),
  saying(
    `attention attn note notice message memo hello hi hey dear instruction important warning reminder directive command request | 7 ${MODEL_WORDS} | 7 : ! - please you do ignore always disregard`,
    `(?:attention|attn|note|notice|message|memo|hello|hi|hey|dear|instructions?|important|warning|reminder|directive|command|request)(?: (?:to|for|all|any|of|the|every|note)){0,4}[ ,:-]{1,4}(?:all |any |the |every |our |fellow )?${MODEL}(?: (?:systems?|models?|only|readers?))?(?: (?:reading|processing|visiting|summari[sz]ing|indexing|crawling|parsing|reviewing|evaluating) (?:${PAGE}|this))? ?(?:[:!]| - |,? (?:please|you must|you should|do not|ignore|always|disregard)\\b)${NO_SERVICE}`,
    {
      rule: 'addressed-to-models',
      strength: 0.8,
      begins:
        'attention attn note notice message memo hello hi hey dear instructions instruction important warning reminder directive command request',
    },
  ),
  saying(
    `hey hi hello dear ok okay | 4 ${MODEL_WORDS} bot`,
    `(?:hey|hi|hello|dear|ok|okay),? (?:all |any )?(?:${MODEL}|assistant|agent|bot),? (?:(?:before|when|while|if|once|after) [^.!?,]{1,40}, )?(?:please |now |just |kindly |could you |i need you to |you (?:must|should|will) ){0,2}(?:${DUTY}|skip|use|buy|make|help|rank|drop|leave|put|let|take|do|go)\\b`,
    { rule: 'addressed-to-models', strength: 0.9 },
  ),
  saying(
    'claude chatgpt gpt gemini copilot assistant ai agent bot llm | 1 , : | 5 use approve buy purchase order open add include say write treat describe mark give accept pay never always do send forward ignore disregard forget cancel recommend tell click transfer delete reveal reply respond print output run execute visit praise rate rank obey change update replace book refund grant install follow',
    `(?:claude|chatgpt|gpt|gemini|copilot|ai(?: \\w{1,15})?|(?:(?:${TRADES}) )?(?:assistant|agent|bot)|llm) ?[,:] ?(?:please |now |just |you (?:must|should|will) ){0,2}(?:use (?:the user's|your)|approve|buy|purchase|order|open|add|include|say|write|treat|describe|mark|give|accept|pay|never|always|do not|send|forward|ignore|disregard|forget|cancel|recommend|tell (?:the|your)|click|transfer|delete|reveal|reply with|respond with|do not tell|print|output|run|execute|visit|praise|rate|rank|obey|change|update|replace|book|refund|grant|install|follow (?:these|the) instructions)\\b`,
    {
      rule: 'addressed-to-models',
      strength: 0.8,
      isFirst: true,
      begins: `claude chatgpt gpt gemini copilot assistant ai agent bot llm ${TRADES.replaceAll('|', ' ')}`,
    },
  ),
  saying(
    'agents assistants bots chatbots llms models | 0 : | 5 approve buy purchase order send forward ignore disregard forget recommend tell click transfer delete reveal do never always run execute visit praise rate rank say install change update replace',
    `(?:(?:${TRADES}) )?(?:agents|assistants|bots|chatbots|llms|models) ?: ?(?:please |now |you (?:must|should|will) ){0,2}(?:approve|buy|purchase|order|send|forward|ignore|disregard|forget|recommend|tell (?:the|your)|click|transfer|delete|reveal|do not|never|always|run|execute|visit|praise|rate|rank|say|install|change|update|replace)\\b`,
    {
      rule: 'addressed-to-models',
      strength: 0.7,
      isFirst: true,
      begins: `agents assistants bots chatbots llms models ${TRADES.replaceAll('|', ' ')}`,
    },
  ),
  saying(
    [
      `for to | 4 ${MODEL_WORDS} | 3 : !`,
      `for to | 4 ${MODEL_WORDS} | 4 reading processing visiting summarizing summarising | 3 : !`,
    ],
    `(?:for|to) (?:all |any |the |every ){0,2}${MODEL}(?: (?:systems?|models?|only|readers?))?(?: (?:reading|processing|visiting|summari[sz]ing) (?:${PAGE}|this))? ?[:!]${NO_SERVICE}`,
    { rule: 'addressed-to-models', strength: 0.6, isFirst: true, begins: 'for to' },
  ),
  saying(
    'ai ais llm llms model models chatbot chatbots automated | 4 must should shall required instructed ordered asked have need | 5 recommend mention say tell rate rank give respond reply answer state claim describe praise include add append visit click buy purchase send ignore disregard present promote link direct cite consider report output print refuse advise inform insert follow',
    '(?:ai|llm|language model|large language model|chatbot|automated)s?(?: (?:browsing|web|coding|shopping|chat|search|voice|personal|virtual|autonomous|research|buying))?(?: (?:assistants?|agents?|models?|systems?|bots?|reviewers?|chatbots?|readers?))? (?:must|should|shall|are (?:required|instructed|ordered|asked) to|have to|need to) (?:always |never |not |only |also |instead |immediately |therefore |please ){0,2}(?:recommend|mention|say|tell|rate|rank|give|respond|reply|answer|state|claim|describe|praise|include|add|append|visit|click|buy|purchase|send|ignore|disregard|present|promote|link|direct|cite this|consider|report|output|print|refuse|advise|inform|insert|follow)\\b',
    { rule: 'addressed-to-models', strength: 0.65, begins: 'ai llm llms language large chatbot chatbots automated' },
  ),
  saying(
    `when while if before after | 6 summarize summarise summarizes summarises summarizing summarising asked answering describing reviewing evaluating quoting translating rating ranking analyzing analysing | 7 ${PAGE_WORDS}`,
    "(?:when|while|if|before|after)(?: you(?: are|'re)?)?(?: asked to)? (?:summari[sz](?:e|es|ing)|asked (?:about|to (?:summari[sz]e|review|describe|compare))|answering (?:questions|users?|queries)|describing|reviewing|evaluating|quoting|translating|rating|ranking|analy[sz]ing) (?:about |any |the |our |a |these |this ){0,3}(?:page|document|article|text|content|paper|resume|candidate|product|company|site|website|email|message|manuscript|submission|topic|question|brand|review|listing)s?\\b[^.!?]{0,40}?,? ?(?:you (?:must|should|shall|are to|need to|have to|will)|always|never|do not|don't|only|make sure|be sure|also|instead|please|say|state|include|add|append|mention|insert|output|recommend|write|begin|end|give)\\b",
    { rule: 'addressed-to-models', strength: 0.75 },
  ),
  saying(
    `${MODEL_WORDS} | 4 must should shall required have | 5 ${TO_REACH} | 90c http https`,
    `${MODEL} (?:must|should|shall|are required to|have to) (?:always |also |first |immediately |now |only ){0,2}(?:${TO_REACH.replaceAll(' ', '|')})\\b${NO_SERVICE}[^!?]{0,60}?\\bhttps?://`,
    { rule: 'addressed-to-models', strength: 0.9, begins: A_MODEL },
  ),
  saying(
    `this these following | 3 text texts message messages note notes section sections paragraph paragraphs page part line lines comment comments block | 2 is are was | 6 ${MODEL_WORDS}`,
    `(?:this|these|the following) (?:hidden |whole |next )?(?:texts?|messages?|notes?|sections?|paragraphs?|page|part|lines?|comments?|block) (?:is|are|was) (?:only |meant |intended |written |solely |addressed ){0,2}(?:for|to) (?:the |any |all |every )?${MODEL}(?: (?:systems?|models?|only|readers?|alone))?\\b${NO_TRADE}${NO_SERVICE}`,
    { rule: 'addressed-to-models', strength: 0.7, begins: 'this these the following' },
  ),
  saying(
    `${MODEL_WORDS} | 9 agree agrees consent consents accept accepts bound | 2 obey follow comply execute`,
    `(?:${MODEL}|assistants?|agents?) (?:(?:that reads?|who reads?|which reads?|reading|visiting|processing) (?:this|${PAGE}) )?(?:hereby )?(?:agrees?|consents?|accepts?|is bound|are bound) to (?:obey|follow|comply|execute)\\b(?!(?: with)? (?:the |our |these )?(?:terms|law|robots))`,
    { rule: 'addressed-to-models', begins: `${A_MODEL} assistant assistants agent agents` },
  ),
  saying(
    `if when whenever should | 5 ${MODEL_WORDS} | 3 ${READING} | 60c it they you | 2 must should shall has have is are will`,
    `(?:if|when|whenever|should) (?:an?|any|the|your|some) ${MODEL} (?:is |are |be |ever )?(?:${READING.replaceAll(' ', '|')}) (?:${PAGE}|this)\\b[^.!?]{0,20}?,? (?:it|they|you) (?:must|should|shall|has to|have to|is to|are to|will)\\b${NO_POLICY}${NO_SERVICE}`,
    { rule: 'addressed-to-models' },
  ),
];
