import { AN_OVERRIDE, gap, NO_TRADE, OVERRIDE, OVERRIDE_WORDS } from './english-words.ts';
import { from, onlyWhere, type RiskPattern, within } from './risk-pattern.ts';
import { chain } from './word-chains.ts';

const ORDER = { isOrder: true };
/** What was said before. */
const TOLD_WORDS =
  'instruction prompt prompts directive guidelines guardrail orders commands rules message messages text content everything anything';
const DISCLOSE =
  'reveal print show repeat output disclose leak display dump write recite echo expose paste return reproduce quote tell give share state translate summarize summarise list include encode spell provide';
/** How these begin when no space stands between the words. */
const RUN_TOGETHER =
  'ignoreall ignoreof ignorethe ignoreyour ignoreany ignoreprevious ignoreabove ignoreearlier disregard forgetall forgetof forgetthe forgetyour forgetany forgetprevious forgetabove forgetearlier';

/** "Ignore all previous instructions", and all that makes a model another one. */
export const OVERRIDING: readonly RiskPattern[] = [
  onlyWhere(
    [
      chain(
        OVERRIDE_WORDS,
        ['40', 'previous previously prior above preceding earlier foregoing system safety developer original initial'],
        [
          '44',
          'instruction prompt prompts directive directions guidelines guardrail commands orders programming training constraints restrictions rules message messages safeguard context',
        ],
      ),
    ],
    from(
      AN_OVERRIDE,
      'override-instructions',
      1,
      `${OVERRIDE}\\b(?! to )${gap(25)}\\b(?:previous(?:ly)?|prior|above|preceding|earlier|foregoing|system|safety|developer|original|initial)\\b(?:(?! to )[^.!?]){0,28}?\\b(?:instructions?|prompts?|directives?|directions|guidelines|guardrails?|commands|orders|programming|training|constraints|restrictions|rules|system messages?|safeguards?|context window)\\b(?! (?:files?|manuals?|sets?|register|cache|pointer)\\b)`,
      ORDER,
    ),
  ),
  onlyWhere(
    [
      chain(OVERRIDE_WORDS, ['32', TOLD_WORDS], ['24', 'above far preceding came']),
      chain(OVERRIDE_WORDS, ['32', TOLD_WORDS], ['24', 'prior up before'], [2, 'this that now']),
      chain(OVERRIDE_WORDS, ['32', TOLD_WORDS], ['24', 'you'], [4, 'given told received']),
      chain(OVERRIDE_WORDS, ['32', TOLD_WORDS], ['24', 'given'], [3, 'above before earlier previously']),
    ],
    from(
      AN_OVERRIDE,
      'override-instructions',
      1,
      `${OVERRIDE}\\b${gap(15)}\\b(?:instructions?|prompts?|directives?|guidelines|guardrails?|orders|commands|rules|messages?|text|content|(?:every|any)thing)\\b${gap(12)}\\b(?:above|before (?:this|that|now)|prior to this|so far|up to (?:this|now)|you (?:have been|were|had been|'ve been) (?:given|told)|given (?:to you )?(?:above|before|earlier|previously)|you (?:have )?received|that came before|preceding this)\\b`,
      ORDER,
    ),
  ),
  onlyWhere(
    [
      chain(
        OVERRIDE_WORDS,
        [6, 'your assistant model'],
        [
          '42',
          'instruction prompt prompts guidelines guardrail programming training rules restrictions directive safety safeguards policy policies content',
        ],
      ),
    ],
    from(
      AN_OVERRIDE,
      'override-instructions',
      1,
      `${OVERRIDE}\\b (?:(?:all|any|each|every|of|both) ){0,4}(?:your|the assistant's|the model's)\\b${gap(25)}\\b(?:instructions?|prompts?|guidelines|guardrails?|programming|training|rules|restrictions|directives?|safety (?:rules|measures|filters)|safeguards|polic(?:y|ies)|content filters?)\\b`,
      ORDER,
    ),
  ),
  onlyWhere(
    [chain('ignore disregard forget discard', [8, 'instructions rules'])],
    from(
      'ignore disregard forget discard',
      'override-instructions',
      0.75,
      '(?:ignore|disregard|forget|discard) (?:all|any|every|all of|all the|any and all)(?: other| further| the| of the){0,2} (?:instructions|rules and instructions|instructions and rules)\\b',
      { isOrder: true, isVague: true },
    ),
  ),
  onlyWhere(
    [
      chain(
        'previous prior earlier above preceding original initial former system your',
        [3, 'instruction prompt prompts directive guidelines orders rules'],
        [
          6,
          'void voided canceled cancelled revoked superseded obsolete overridden null nullified rescinded suspended invalid invalidated longer replaced apply wrong mistake test outdated',
        ],
      ),
    ],
    from(
      'previous prior earlier above preceding original initial former system your',
      'override-instructions',
      1,
      '(?:previous|prior|earlier|above|preceding|original|initial|former|system|your)\\b (?:\\w{1,20} ){0,2}?(?:instructions?|prompts?|directives?|guidelines|orders|rules)\\b (?:\\w{1,20} ){0,3}?(?:void(?:ed)?|cancell?ed|revoked|superseded|obsolete|overridden|null(?:ified)?|rescinded|suspended|invalid(?:ated)?|no longer (?:apply|valid|in (?:effect|force)|relevant|binding)|replaced by|do(?:es)? not apply (?:here|any ?more)|were (?:wrong|a mistake|a test|outdated))\\b',
    ),
  ),
  onlyWhere(
    [
      chain(
        'instruction directive guidelines rules prompt prompts',
        [6, 'received got given follow above before system developer operator user'],
        ['60', 'apply valid binding count void canceled cancelled revoked superseded obsolete wrong fake'],
      ),
    ],
    from(
      'the all any instructions everything whatever',
      'override-instructions',
      1,
      '(?:the |all |any )?(?:instructions?|directives?|guidelines|rules|prompts?) (?:that )?(?:you (?:have |had )?(?:received|got|were given|follow)|given to you|(?:above|before) this|from (?:the|your) (?:system|developer|operator|user))\\b[^.!?]{0,40}?\\b(?:no longer|not) (?:apply|valid|binding|count)\\b|(?:the |all |any )?(?:instructions?|directives?|prompts?) (?:that )?(?:you (?:have |had )?(?:received|got|were given)|given to you)\\b[^.!?]{0,40}?\\b(?:void|cancell?ed|revoked|superseded|obsolete|wrong|fake)\\b',
    ),
  ),
  onlyWhere(
    [
      chain(
        'instruction directive prompt prompts orders rules message messages',
        [
          5,
          'supersede supersedes override overrides overrule overrules replace replaces take takes outrank outranks trump trumps has have',
        ],
        [
          '68',
          'instruct prompt prompts previous prior earlier else other others told system systems anything everything',
        ],
      ),
    ],
    from(
      'these this the my following new',
      'override-instructions',
      1,
      `(?:these|this|the following|the below|my|following|new) (?:new )?(?:instructions?|directives?|prompts?|orders|rules|messages?) (?:\\w{1,20} ){0,2}?(?:supersedes?|overrides?|overrules?|replaces?|takes? (?:precedence|priority)|outranks?|trumps?|ha(?:s|ve) (?:higher|highest|absolute|top) (?:priority|precedence))\\b${gap(50)}\\b(?:instruct\\w{0,5}|prompts?|previous(?:ly)?|prior|earlier|else|others?|told|systems?|anything|everything)\\b`,
    ),
  ),
  onlyWhere(
    [
      chain(
        'your have',
        [2, 'new real actual true updated only sole'],
        [4, 'instruction task objective directive goal mission system purpose'],
      ),
    ],
    from(
      'your here these you',
      'override-instructions',
      0.9,
      '(?:your|here are your|these are your|you have|you now have) (?:a )?(?:new|real|actual|true|updated|only|sole)(?: and only)? (?:(?:primary|main|overriding|top) )?(?:instructions?|task|objective|directives?|goal|mission|system prompt|purpose)\\b(?: (?:is|are|now|instead)|:| -|,)',
    ),
  ),
  onlyWhere(
    [
      chain('new updated important urgent critical priority hidden secret special additional override revised', [
        2,
        'instruction directive',
      ]),
    ],
    from(
      'new updated important urgent critical priority hidden secret special additional override revised',
      'override-instructions',
      0.7,
      '(?:new|updated|important|urgent|critical|priority|hidden|secret|special|additional|override|revised) (?:system )?(?:instructions?|directives?) ?(?:for (?:the |any |all )?(?:ai|assistant|agent|model|llm)\\w{0,10} ?(?:assistants?|agents?|models?)? ?)?(?::|follow\\b)',
      { isFirst: true },
    ),
  ),
  onlyWhere(
    [
      chain(
        'forget disregard ignore',
        [2, 'everything anything all whatever what'],
        [8, 'told said read know knew learned learnt instructed asked wrote given'],
      ),
    ],
    from(
      'forget disregard ignore',
      'override-instructions',
      0.8,
      "(?:forget|disregard|ignore) (?:about )?(?:everything|anything|all|whatever|what)(?: that)? (?:you(?:'ve| have| were| had|'d)?|i(?:'ve| have)?|we(?:'ve| have)?|they|the (?:user|developer|operator|system)(?: has)?) (?:just |ever |previously |been |already |were ){0,3}(?:told|said|read|know|knew|learned|learnt|instructed|asked|wrote|given)",
      { isOrder: true, isVague: true },
    ),
  ),
  onlyWhere(
    [
      chain(
        'ignore disregard forget ignoreall forgetall',
        [4, 'previous prior above preceding earlier previousinstructions priorinstructions'],
        [1, 'instruction prompt prompts directive guidelines'],
      ),
      chain(RUN_TOGETHER),
    ],
    within(
      [
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
      'override-instructions',
      1,
      '(?:ignore|disregard|forget)[\\s_-]?(?:all[\\s_-]?)?(?:of[\\s_-]?)?(?:the[\\s_-]?|your[\\s_-]?|any[\\s_-]?)?(?:previous|prior|above|preceding|earlier)[\\s_-]?(?:instructions?|prompts?|directives?|guidelines)',
    ),
  ),
  onlyWhere(
    [chain('clear wipe erase reset purge flush', [1, 'your'], [2, 'memory context conversation instructions'])],
    from(
      'clear wipe erase reset purge flush',
      'override-instructions',
      0.9,
      '(?:clear|wipe|erase|reset|purge|flush) your (?:\\w{1,20} )?(?:memory|context|conversation|instructions)\\b',
      ORDER,
    ),
  ),
  onlyWhere(
    [
      chain(
        'ignore disregard forget skip cancel drop refuse',
        [2, 'user users human humans'],
        [3, 'question questions request requests query queries prompt prompts task instruction wishes'],
      ),
    ],
    from(
      'ignore disregard forget skip cancel drop refuse',
      'override-instructions',
      1,
      "(?:ignore|disregard|forget|skip|cancel|drop|refuse) (?:the )?(?:user|human)(?:'?s)? (?:\\w{1,20} )?(?:questions?|requests?|quer(?:y|ies)|prompts?|task|instructions?|wishes)\\b",
      ORDER,
    ),
  ),
  onlyWhere(
    [
      chain(
        'you',
        [4, 'now henceforth longer hereby'],
        [
          '68',
          'dan jailbroken unrestricted uncensored unfiltered ai chatbot bot assistant agent persona language llm gpt root python linux mode bound restricted free without',
        ],
      ),
    ],
    from(
      'you',
      'role-change',
      1,
      `you(?: are|'re) (?:now|henceforth|from now on|no longer|hereby)\\b (?!ready|able|set|logged|signed|in (?:the|an?|your)\\b|at |on |done|connected)${gap(50)}\\b(?:dan\\b|jailbroken|unrestricted|uncensored|unfiltered|(?:ai|chatbot|bot|assistant|agent|persona|language model|llm|gpt)\\b${NO_TRADE}|root shell|python interpreter|linux terminal|(?:developer|debug|god|admin|maintenance|sudo|jailbreak|dan|unrestricted|root|evil|test) mode|bound by|restricted by|free (?:from|of) (?:all|any|your)|without (?:any )?(?:restrictions|limits|filters|rules))`,
    ),
  ),
  onlyWhere(
    [
      chain(
        'developer debug god dan jailbreak unrestricted unfiltered uncensored filter evil opposite sudo root override now stan aim',
        [1, 'mode'],
        ['48', 'now where respond answer comply without ignore obey no'],
      ),
    ],
    from(
      'enter enable activate switch engage turn unlock go initiate you',
      'role-change',
      1,
      `(?:enter|enable|activate|switch (?:in)?to|engage|turn on|unlock|go into|initiate|you are (?:now )?(?:in|operating in|running in)) (?:the |your |into )?["'“]?(?:developer|debug|god|dan|jailbreak|unrestricted|unfiltered|uncensored|no[- ]filter|evil|opposite|sudo|root|admin(?:istrator)? override|do[- ]anything[- ]now|stan|aim)["'”]? mode\\b${gap(30)}\\b(?:now|where|respond|answer|comply|without|ignore|obey|no (?:rules|limits|filters|restrictions))\\b`,
      ORDER,
    ),
  ),
  onlyWhere(
    [
      chain(
        'now henceforth point moment here forward',
        [3, 'you'],
        [4, 'answer respond reply act obey speak refuse say recommend follow serve pretend behave'],
      ),
    ],
    from(
      'from henceforth starting going',
      'role-change',
      0.9,
      '(?:from now on|henceforth|from this (?:point|moment) (?:on|onwards?|forward)|from here on(?: out)?|starting now|going forward),? you (?:will|must|shall|should|have to|are to|only) (?:only |always |never ){0,2}(?:answer|respond|reply|act|obey|speak|refuse|say|recommend|follow|serve|pretend|behave)\\b',
    ),
  ),
  onlyWhere(
    [
      chain(
        'from',
        [2, 'now point moment here'],
        [3, 'you respond answer reply act behave speak treat obey prefix end'],
      ),
      chain('henceforth', [1, 'you respond answer reply act behave speak treat obey prefix end']),
      chain(
        'starting going',
        [1, 'now forward'],
        [1, 'you respond answer reply act behave speak treat obey prefix end'],
      ),
    ],
    from(
      'from henceforth starting going',
      'role-change',
      0.8,
      "(?:from now on|henceforth|from this (?:point|moment) (?:on|onwards?|forward)|from here on(?: out)?|starting now|going forward),? (?:you(?: are|'re| will| must| shall| should| have to| only)|(?:respond|answer|reply|act|behave|speak|treat|obey|prefix|end every))\\b(?! (?:able|ready|be able|see|find|get|receive|also see|notice))",
      { isVague: true },
    ),
  ),
  onlyWhere(
    [
      chain(
        'pretend act roleplay role simulate behave imagine become',
        ['84', 'no without'],
        [2, 'restrictions rules limits filter filters guidelines ethic ethics moral morals safety content'],
      ),
      chain('pretend act roleplay role simulate behave imagine become', [
        '84',
        'unrestricted uncensored unfiltered jailbroken anything bound evil',
      ]),
    ],
    from(
      'pretend act roleplay role simulate behave imagine become',
      'role-change',
      1,
      `(?:pretend|act as|act like|roleplay as|role-?play as|simulate|behave (?:as|like)|imagine you|become)\\b${gap(60)}\\b(?:no (?:restrictions|rules|limits|filters?|guidelines|ethics?|morals?|safety|content)\\b|without (?:any )?(?:restrictions|rules|limits|filters|guidelines|ethics?|morals?|safety)\\b|unrestricted|uncensored|unfiltered|jailbroken|do anything now|not bound by|evil (?:ai|bot|assistant))`,
      ORDER,
    ),
  ),
  onlyWhere(
    [
      chain(
        'you',
        [7, 'bound restricted limited obey adhere'],
        [
          '48',
          'rule rules restriction policy policies guideline guidelines limit limits limitations filter filters instructions openai anthropic google',
        ],
      ),
    ],
    from(
      'you',
      'role-change',
      0.9,
      "you (?:are (?:not|no longer)|aren't|do not have to|don't have to|no longer (?:have|need) to|need not) (?:be )?(?:bound by|restricted by|limited by|obey|adhere to)\\b[^.!?]{0,30}?\\b(?:rules?|restrictions?|polic(?:y|ies)|guidelines?|limits?|limitations|filters?|instructions|openai|anthropic|google)\\b",
    ),
  ),
  onlyWhere(
    [chain('as', [2, 'ai llm large language'], ['56', 'you'], [1, 'must should shall are have need will'])],
    from(
      'as',
      'addressed-to-models',
      0.9,
      'as an? (?:ai|llm|large language model|ai language model|language model|ai assistant|ai agent)(?: language)?(?: model)?(?: reading (?:this|these)[^.!?,]{0,30})?,? you (?:must|should|shall|are (?:required|obliged|obligated|instructed|ordered|to)|have to|need to|will)\\b',
    ),
  ),
  onlyWhere(
    [
      chain(
        DISCLOSE,
        [8, 'your'],
        [4, 'prompt prompts message messages instruction rules configuration guidelines context memory'],
      ),
      chain(DISCLOSE, [9, 'system developer hidden initial'], [1, 'prompt message']),
      chain(DISCLOSE, [8, 'everything all text words'], [3, 'above']),
    ],
    from(
      DISCLOSE,
      'prompt-disclosure',
      1,
      '(?:reveal|print|show|repeat|output|disclose|leak|display|dump|write out|write down|recite|echo|expose|paste|return|reproduce|quote|tell|give|share|state|translate|summari[sz]e|list|include|encode|spell out|provide)\\b (?:(?:me|us|out|back|all|of|the|full|exact|entire|complete|verbatim|text|contents?|user|them) ){0,6}(?:your (?:\\w{1,20} )?(?:system prompt|system message|system instructions?|(?:initial|original|hidden|internal|secret|full|complete|exact|confidential|base|developer|custom|starting) (?:\\w{1,20} )?(?:instructions?|prompts?|rules|configuration|messages?|guidelines)|instructions|prompt)|your (?:context(?: window)?|memory|configuration)|(?:the |its |this )?(?:system prompt|developer message|hidden prompt|initial prompt)|(?:everything|all (?:the )?(?:text|words)|all) (?:written |that (?:is|was) )?above)\\b',
      ORDER,
    ),
  ),
  onlyWhere(
    [chain('what', [2, 'your'], [1, 'system initial hidden original'])],
    from(
      'what',
      'prompt-disclosure',
      0.6,
      'what (?:is|was|are|were) your (?:system prompt|initial instructions|hidden instructions|original instructions)\\b',
    ),
  ),
];
