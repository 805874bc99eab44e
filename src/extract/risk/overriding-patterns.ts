import { AN_OVERRIDE, gap, OVERRIDE, OVERRIDE_WORDS } from './english-words.ts';
import { anywhere, type RiskPattern, saying } from './risk-pattern.ts';

const ORDER = { isOrder: true };
/** Words for what was said before. */
const TOLD_WORDS =
  'instruction prompt prompts directive guidelines guardrail orders commands rules message messages text content everything anything';
const ABOVE_THEN = 'do say tell reply respond answer write print output follow give send act return';
const GAVE = 'gave gives asked asks set sets wanted wants assigned requested';
const NEWNESS = 'new|updated|important|urgent|critical|special|additional|revised';
/** How these begin if there is no space between the words. */
const RUN_TOGETHER =
  'ignoreall ignoreof ignorethe ignoreyour ignoreany ignoreprevious ignoreabove ignoreearlier disregard forgetall forgetof forgetthe forgetyour forgetany forgetprevious forgetabove forgetearlier';

/** "Ignore all previous instructions". */
export const OVERRIDING: readonly RiskPattern[] = [
  saying(
    `${OVERRIDE_WORDS} | 40c previous previously prior above preceding earlier foregoing system safety developer original initial | 44c instruction prompt prompts directive directions guidelines guardrail commands orders programming training constraints restrictions rules message messages safeguard context`,
    `${OVERRIDE}\\b(?! to )${gap(25)}\\b(?:previous(?:ly)?|prior|above|preceding|earlier|foregoing|system|safety|developer|original|initial)\\b(?:(?! to )[^.!?]){0,28}?\\b(?:instructions?|prompts?|directives?|directions|guidelines|guardrails?|commands|orders|programming|training|constraints|restrictions|rules|system messages?|safeguards?|context window)\\b(?! (?:files?|manuals?|sets?|register|cache|pointer)\\b)`,
    { rule: 'override-instructions', ...ORDER, begins: AN_OVERRIDE },
  ),
  saying(
    [
      `${OVERRIDE_WORDS} | 32c ${TOLD_WORDS} | 24c above far preceding came`,
      `${OVERRIDE_WORDS} | 32c ${TOLD_WORDS} | 24c prior up before | 2 this that now`,
      `${OVERRIDE_WORDS} | 32c ${TOLD_WORDS} | 24c you | 4 given told received`,
      `${OVERRIDE_WORDS} | 32c ${TOLD_WORDS} | 24c given | 3 above before earlier previously`,
    ],
    `${OVERRIDE}\\b${gap(15)}\\b(?:instructions?|prompts?|directives?|guidelines|guardrails?|orders|commands|rules|messages?|text|content|(?:every|any)thing)\\b${gap(12)}\\b(?:above|before (?:this|that|now)|prior to this|so far|up to (?:this|now)|you (?:have been|were|had been|'ve been) (?:given|told)|given (?:to you )?(?:above|before|earlier|previously)|you (?:have )?received|that came before|preceding this)\\b`,
    { rule: 'override-instructions', ...ORDER, begins: AN_OVERRIDE },
  ),
  saying(
    `${OVERRIDE_WORDS} | 6 your assistant model | 42c instruction prompt prompts guidelines guardrail programming training rules restrictions directive safety safeguards policy policies content`,
    `${OVERRIDE}\\b (?:(?:all|any|each|every|of|both) ){0,4}(?:your|the assistant's|the model's)\\b${gap(25)}\\b(?:instructions?|prompts?|guidelines|guardrails?|programming|training|rules|restrictions|directives?|safety (?:rules|measures|filters)|safeguards|polic(?:y|ies)|content filters?)\\b`,
    { rule: 'override-instructions', ...ORDER, begins: AN_OVERRIDE },
  ),
  saying(
    'ignore disregard forget discard | 8 instructions rules',
    '(?:ignore|disregard|forget|discard) (?:all|any|every|all of|all the|any and all)(?: other| further| the| of the){0,2} (?:instructions|rules and instructions|instructions and rules)\\b',
    { rule: 'override-instructions', strength: 0.75, isOrder: true, isVague: true },
  ),
  saying(
    'previous prior earlier above preceding original initial former system your | 3 instruction prompt prompts directive guidelines orders rules | 6 void voided canceled cancelled revoked superseded obsolete overridden null nullified rescinded suspended invalid invalidated longer replaced apply wrong mistake test outdated',
    '(?:previous|prior|earlier|above|preceding|original|initial|former|system|your)\\b (?:\\w{1,20} ){0,2}?(?:instructions?|prompts?|directives?|guidelines|orders|rules)\\b (?:\\w{1,20} ){0,3}?(?:void(?:ed)?|cancell?ed|revoked|superseded|obsolete|overridden|null(?:ified)?|rescinded|suspended|invalid(?:ated)?|no longer (?:apply|valid|in (?:effect|force)|relevant|binding)|replaced by|do(?:es)? not apply (?:here|any ?more)|were (?:wrong|a mistake|a test|outdated))\\b',
    { rule: 'override-instructions' },
  ),
  saying(
    'instruction directive guidelines rules prompt prompts | 6 received got given follow above before system developer operator user | 60c apply valid binding count void canceled cancelled revoked superseded obsolete wrong fake',
    '(?:the |all |any )?(?:instructions?|directives?|guidelines|rules|prompts?) (?:that )?(?:you (?:have |had )?(?:received|got|were given|follow)|given to you|(?:above|before) this|from (?:the|your) (?:system|developer|operator|user))\\b[^.!?]{0,40}?\\b(?:no longer|not) (?:apply|valid|binding|count)\\b|(?:the |all |any )?(?:instructions?|directives?|prompts?) (?:that )?(?:you (?:have |had )?(?:received|got|were given)|given to you)\\b[^.!?]{0,40}?\\b(?:void|cancell?ed|revoked|superseded|obsolete|wrong|fake)\\b',
    { rule: 'override-instructions', begins: 'the all any instructions everything whatever' },
  ),
  saying(
    'instruction directive prompt prompts orders rules message messages | 5 supersede supersedes override overrides overrule overrules replace replaces take takes outrank outranks trump trumps has have | 68c instruct prompt prompts previous prior earlier else other others told system systems anything everything',
    `(?:these|this|the following|the below|my|following|new) (?:new )?(?:instructions?|directives?|prompts?|orders|rules|messages?) (?:\\w{1,20} ){0,2}?(?:supersedes?|overrides?|overrules?|replaces?|takes? (?:precedence|priority)|outranks?|trumps?|ha(?:s|ve) (?:higher|highest|absolute|top) (?:priority|precedence))\\b${gap(50)}\\b(?:instruct\\w{0,5}|prompts?|previous(?:ly)?|prior|earlier|else|others?|told|systems?|anything|everything)\\b`,
    { rule: 'override-instructions', begins: 'these this the my following new' },
  ),
  saying(
    'your have | 2 new real actual true updated only sole | 4 instruction task objective directive goal mission system purpose',
    '(?:your|here are your|these are your|you have|you now have) (?:a )?(?:new|real|actual|true|updated|only|sole)(?: and only)? (?:(?:primary|main|overriding|top) )?(?:instructions?|task|objective|directives?|goal|mission|system prompt|purpose)\\b(?: (?:is|are|now|instead)|:| -|,)',
    { rule: 'override-instructions', strength: 0.9, begins: 'your here these you' },
  ),
  saying(
    'new updated important urgent critical priority hidden secret special additional override revised system | 2 instruction directive',
    `(?:(?:hidden|secret|override|priority)(?: system)?|(?:${NEWNESS}) system) (?:instructions?|directives?) ?(?::|follow\\b)|(?:${NEWNESS}) (?:instructions?|directives?) ?for (?:the |any |all )?(?:ai|assistant|agent|model|llm)\\w{0,10} ?(?:assistants?|agents?|models?)? ?:|(?:new|updated|revised|urgent) directives? ?:`,
    {
      rule: 'override-instructions',
      strength: 0.7,
      isFirst: true,
      begins: 'new updated important urgent critical priority hidden secret special additional override revised',
    },
  ),
  saying(
    'new updated important urgent critical special additional revised | 1 instruction directive',
    `(?:${NEWNESS}) (?:instructions?|directives?) ?(?::|follow\\b)`,
    { rule: 'override-instructions', strength: 0.3, isFirst: true },
  ),
  saying(
    'forget disregard ignore | 2 everything anything all whatever what | 8 told said read know knew learned learnt instructed asked wrote given',
    "(?:forget|disregard|ignore) (?:about )?(?:everything|anything|all|whatever|what)(?: that)? (?:you(?:'ve| have| were| had|'d)?|i(?:'ve| have)?|we(?:'ve| have)?|they|the (?:user|developer|operator|system)(?: has)?) (?:just |ever |previously |been |already |were ){0,3}(?:told|said|read|know|knew|learned|learnt|instructed|asked|wrote|given)",
    { rule: 'override-instructions', strength: 0.8, isOrder: true, isVague: true },
  ),
  anywhere(
    `ignore disregard forget ${RUN_TOGETHER}`,
    '(?:ignore|disregard|forget)[\\s_-]?(?:all[\\s_-]?)?(?:of[\\s_-]?)?(?:the[\\s_-]?|your[\\s_-]?|any[\\s_-]?)?(?:previous|prior|above|preceding|earlier)[\\s_-]?(?:instructions?|prompts?|directives?|guidelines)',
    {
      rule: 'override-instructions',
      needs: [
        'ignore_',
        'disregard_',
        'ignore-all',
        'ignore-prev',
        'ignoreall',
        'ignoreprev',
        'ignoreyour',
        'ignorethe',
        'disregardall',
        'disregardprev',
        'forgetall',
        'forgetprev',
      ],
    },
  ),
  saying(
    'clear wipe erase reset purge flush | 1 your | 2 memory context conversation instructions',
    '(?:clear|wipe|erase|reset|purge|flush) your (?:\\w{1,20} )?(?:memory|context|conversation|instructions)\\b',
    { rule: 'override-instructions', strength: 0.9, ...ORDER },
  ),
  saying(
    'ignore disregard forget skip cancel drop refuse | 2 user users human humans | 3 question questions request requests query queries prompt prompts task instruction wishes',
    "(?:ignore|disregard|forget|skip|cancel|drop|refuse) (?:the )?(?:user|human)(?:'?s)? (?:\\w{1,20} )?(?:questions?|requests?|quer(?:y|ies)|prompts?|task|instructions?|wishes)\\b",
    { rule: 'override-instructions', ...ORDER },
  ),
  saying(
    `ignore disregard forget | 4 above | 5 ${ABOVE_THEN}`,
    `(?:ignore|disregard|forget) (?:all |everything |all of |whatever is |what is )?(?:the )?above\\b[,;.]? ?(?:and|then|instead|now),? (?:please |instead |only |just ){0,2}(?:${ABOVE_THEN.replaceAll(' ', '|')})\\b`,
    { rule: 'override-instructions', strength: 0.7, isOrder: true, isVague: true },
  ),
  saying(
    `abandon stop drop forget ignore leave pause quit | 4 task tasks job jobs request requests work works question questions | 5 user human operator owner | 2 ${GAVE}`,
    `(?:abandon|stop|drop|forget|ignore|leave|pause|quit) (?:doing )?(?:the |your |whatever |any )?(?:\\w{1,20} )?(?:task|job|request|work|question)s? (?:that |which )?(?:the |your )(?:user|human|operator|owner) (?:has |had |just )?(?:${GAVE.replaceAll(' ', '|')})\\b`,
    { rule: 'override-instructions', ...ORDER },
  ),
  saying(
    'follow obey execute | 4 orders instructions commands directions | 5 paragraph page text section document site comment note website | 2 instead only',
    '(?:follow|obey|execute) (?:only )?(?:the |these |those |all )?(?:orders|instructions|commands|directions) (?:in|of|on|from|given in|found in|given by) (?:this|the) (?:paragraph|page|text|section|document|site|comment|note|website) (?:here )?(?:instead|only)\\b',
    { rule: 'override-instructions', strength: 0.9, ...ORDER },
  ),
  saying(
    'ignore disregard forget | 4 above',
    '(?:ignore|disregard|forget) (?:all |everything |all of )?(?:the )?above(?: ?[.!;:\\n]| and (?:do|say|reply|respond|write|print|output|instead)\\b)',
    { rule: 'override-instructions', strength: 0.4, isFirst: true },
  ),
];
