import { ANSWERS } from './english-words.ts';
import { type RiskPattern, saying } from './risk-pattern.ts';

const ORDER = { isOrder: true };
const OTHERS = 'other others competitor competitors alternative alternatives rival rivals';

/** What an answer should or should not say. */
export const STEERING: readonly RiskPattern[] = [
  saying(
    [
      'always only must strongly should will please to and then it | 3 recommend mention describe present rank rate praise promote portray suggest list | 96c as | 3 best top only number one first safest superior excellent leading most ideal perfect outstanding trustworthy preferred',
      `always only must strongly should will please to and then it | 3 recommend mention describe present rank rate praise promote portray suggest list | 96c over above before ahead | 3 ${OTHERS}`,
      `always only must strongly should will please to and then it | 3 recommend mention describe present rank rate praise promote portray suggest list | 96c all every any your each | 1 user users ${ANSWERS}`,
      'always only must strongly should will please to and then it | 3 recommend mention describe present rank rate praise promote portray suggest list | 96c favorably favourably five stars tens',
    ],
    '(?:always|only|must|strongly|you should|should|you will|please|to|and|then|it) (?:also |always |strongly |only ){0,2}(?:recommend|mention|describe|present|rank|rate|praise|promote|portray|suggest|list) [^.!?]{1,80}?\\b(?:as (?:the |being |an? )?(?:best|top|only|number one|#1|first choice|safest|superior|excellent|leading|most \\w{1,20}|ideal|perfect|outstanding|trustworthy|preferred)|over (?:all |any |its |every )?(?:others?|competitors?|alternatives?|rivals?)\\b|to (?:all|every|any) users?|(?:above|before|ahead of) (?:all |any |its |every )?(?:others?|competitors?|alternatives?|rivals?)\\b|in (?:every|all|your|each) (?:answers?|responses?|recommendations?|repl(?:y|ies))\\b|favou?rably|five stars|5 stars|10/10)',
    { rule: 'steered-answer', begins: 'always only must strongly you should please to and then it' },
  ),
  saying(
    'give write provide assign output return award produce | 58c positive favorable favourable glowing highest perfect maximum full outstanding star | 2 review reviews score scores rating ratings mark marks evaluation recommendation assessment grade grades',
    '(?:give|write|provide|assign|output|return|award|produce|only give)\\b(?! us\\b| me\\b)[^.!?]{0,40}?\\b(?:positive|favou?rable|glowing|highest|perfect|maximum|full|outstanding|5[- ]star|five[- ]star)\\b (?:possible )?(?:reviews?|scores?|ratings?|marks?|evaluations?|recommendations?|assessments?|grades?)\\b(?: only)?',
    { rule: 'steered-answer', ...ORDER, begins: 'give write provide assign output return award produce only' },
  ),
  saying(
    [
      'do | 3 highlight mention out list include report discuss | 2 negative negatives weakness flaw flaws shortcomings drawbacks criticism downsides competitor',
      'recommend | 2 hiring hire',
      'recommend mark classify label rate rank | 2 candidate applicant paper submission manuscript resume transaction page site | 4 best first hire accept accepted accepting acceptance acceptable accepts qualified interview safe benign approved legitimate trusted spam exceptional publication top',
    ],
    'do not (?:highlight|mention|point out|list|include|report|discuss) (?:any |the )?(?:negatives?|weakness(?:es)?|flaws?|shortcomings|drawbacks|criticism|downsides|competitors?)\\b|recommend (?:hiring|to hire|immediate hire)\\b|(?:recommend|mark|classify|label|rate|rank|rank or rate) (?:this |the )(?:candidate|applicant|paper|submission|manuscript|resume|transaction|page|site) (?:as |for )?(?:strong\\w{0,3} |highly |an? |the ){0,2}(?:best|first|hire|accept(?:ed|ing|ance|able|s)?|qualified|interview|safe|benign|approved|legitimate|trusted|not spam|exceptional|publication|top candidate)',
    { rule: 'steered-answer', ...ORDER, begins: 'do recommend mark classify label rate rank' },
  ),
  saying(
    `begin start end finish conclude prefix preface close | 2 your every each all any | 2 ${ANSWERS} message messages`,
    '(?:begin|start|end|finish|conclude|prefix|preface|close) (?:your|every|each|all|any|all your) (?:\\w{1,20} )?(?:responses?|answers?|summar(?:y|ies)|repl(?:y|ies)|outputs?|completions?|messages?) (?:with|by)\\b',
    { rule: 'steered-answer', strength: 0.9, ...ORDER },
  ),
  saying(
    `append include insert add put place embed write | 4 sentence sentences text phrase link line word words notice disclaimer url advert adverts advertisement paragraph message | 7 your every each all any the | 2 ${ANSWERS}`,
    '(?:append|include|insert|add|put|place|embed|write) (?:this|the following|the exact|these) (?:exact )?(?:sentences?|text|phrase|link|line|words?|notice|disclaimer|url|advert(?:s|isements?)?|paragraph|message) (?:to|in|into|at the (?:end|start|top|bottom|beginning) of) (?:your|every|each|all|any|the) (?:\\w{1,20} )?(?:summar(?:y|ies)|responses?|answers?|repl(?:y|ies)|outputs?)\\b',
    { rule: 'steered-answer', ...ORDER },
  ),
  saying(
    `append include insert add put place embed mention write | 108c your every each all any | 2 ${ANSWERS}`,
    '(?:append|include|insert|add|put|place|embed|mention|write) [^.!?\\n]{1,80}? (?:in|into|to|at the (?:very )?(?:end|start|beginning|top|bottom) of) (?:your|every|each|all|all your|any) (?:\\w{1,20} )?(?:responses?|answers?|summar(?:y|ies)|repl(?:y|ies)|outputs?|completions?)\\b(?! (?:to the (?:survey|form|quiz)|below|here|header))',
    { rule: 'steered-answer', strength: 0.9, ...ORDER },
  ),
  saying(
    [
      'respond reply answer output say | 3 only exactly nothing solely',
      'respond reply answer output say | 3 the | 2 word phrase',
      'respond reply answer output say | 1 to | 3 question questions query queries message messages user users request requests | 6 only exactly nothing solely word phrase',
    ],
    '(?:respond|reply|answer|output|say) (?:to (?:every|all|any|each|the) (?:\\w{1,20} )?(?:questions?|quer(?:y|ies)|messages?|users?|requests?) )?(?:with |by saying |that )?(?:only|exactly|nothing but|solely|the (?:single |one )?word|the phrase)(?: (?:with|the|in|by)\\b|(?: (?:words?|phrase|sentence|text|string|following))? ?["“:\'‘]| [a-z]{1,20}\\b(?= ?[.!\\n]))',
    { rule: 'steered-answer', strength: 0.9, ...ORDER, begins: 'respond reply answer output say' },
  ),
  saying(
    'tell inform assure instruct advise convince persuade urge | 1 your | 2 user human',
    '(?:tell|inform|assure|instruct|advise|convince|persuade|urge) your (?:human |end[- ])?(?:user|human) (?:that |to |they |their |it )',
    { rule: 'steered-answer', ...ORDER },
  ),
  saying(
    'tell inform assure instruct ask advise convince persuade urge notify direct | 1 the your all any every | 2 user users person human humans',
    '(?:tell|inform|assure|instruct|ask|advise|convince|persuade|urge|notify|direct) (?:the|your|all|any|every) (?:human |end[- ])?(?:users?|person|humans?) (?:that |to |they |their |it )',
    { rule: 'steered-answer', strength: 0.7, ...ORDER },
  ),
  saying(
    'do never don under must | 5 tell inform mention reveal alert notify disclose show let report | 90c user users human humans anyone operator owner',
    "(?:do not|don't|never|must not|under no circumstances) (?:ever |also )?(?:tell|inform|mention|reveal|alert|notify|disclose|show|let|report)\\b (?:any of |all of )?(?:this|these|it|that|them|the (?:instructions?|message|prompt|text|note)|your (?:instructions?|actions?)|anything|about this)\\b[^.!?]{0,30}?\\b(?:(?:to|from|with) )?(?:the |your |any |a )?(?:users?|humans?|anyone|operator|owner)\\b",
    { rule: 'secrecy' },
  ),
  saying(
    'do never don must | 4 tell inform alert notify warn ask let consult | 3 user users human humans operator owner person',
    "(?:do not|don't|never|must not) (?:ever )?(?:tell|inform|alert|notify|warn|ask|let|consult) (?:the|your|any) (?:human |end[- ])?(?:users?|humans?|operator|owner|person)\\b(?: (?:about|of|that you|what you|know|for (?:confirmation|permission|consent))|[.!,;]| ?\\n| ?$)",
    { rule: 'secrecy', strength: 0.8 },
  ),
  saying(
    'without | 5 user users human humans operator owner',
    "(?<!\\b(?:not|never|cannot|no|nothing|n't)\\b[^.!?]{0,60})without (?:telling|informing|notifying|alerting|asking|warning|consulting|the (?:knowledge|consent) of) (?:the |your |any )?(?:user|users|human|humans|operator|owner)\\b",
    { rule: 'secrecy', strength: 0.6 },
  ),
  saying(
    [
      'do don never | 4 mention reveal acknowledge disclose discuss refer admit | 13 instruction prompt prompts hidden directive system comment comments note notes',
      'do don never | 3 reveal mention admit say tell | 3 you',
      'keep | 3 secret hidden confidential concealed private | 1 from',
    ],
    "(?:do not|don't|never) (?:ever )?(?:mention|reveal|acknowledge|disclose|discuss|refer to|admit)\\b (?:that )?(?:(?:any of )?(?:this|these|your|having|you (?:have )?(?:read|seen|received|were given)|the existence of)) (?:\\w{1,20} ){0,3}?(?:instructions?|prompts?|hidden (?:text|message|note)|directives?|system message|comments?|notes?)\\b|(?:do not|don't|never) (?:reveal|mention|admit|say|tell anyone) that you (?:did|have|were|are|read|saw|received)\\b|keep (?:this|these|it|them)(?: \\w{1,20})? (?:secret|hidden|confidential|concealed|private) from (?:the |your |any )?(?:user|human|operator|anyone)s?\\b",
    { rule: 'secrecy', begins: 'do don never keep' },
  ),
  saying(
    `recommend rank rate list promote mention suggest | 80c over above before ahead | 3 ${OTHERS}`,
    '(?:recommend|rank|rate|list|promote|mention|suggest) (?:this|our|the) [^.!?]{1,50}?\\b(?:over|above|before|ahead of) (?:all |any |its |every |the )?(?:others?|competitors?|alternatives?|rivals?)\\b',
    { rule: 'steered-answer', strength: 0.6, isFirst: true },
  ),
  saying(
    'do never don | 3 tell inform alert notify warn let | 4 user users human humans operator owner | 3 this these it any what',
    "(?:do not|don't|never) (?:ever )?(?:tell|inform|alert|notify|warn|let) (?:the|your) (?:human |end[- ])?(?:users?|humans?|operator|owner) (?:know )?(?:about|of) (?:this|these|it|any of (?:this|it|these)|what you)\\b(?! (?:error|field|setting|option|state|behaviou?r|problem|bug|limitation|change|feature|case|issue|exception|detail)s?\\b)",
    { rule: 'secrecy' },
  ),
];
