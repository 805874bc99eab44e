import { gap, NO_TRADE } from './english-words.ts';
import { type RiskPattern, saying } from './risk-pattern.ts';

const ORDER = { isOrder: true };
const DISCLOSE =
  'reveal print show repeat output disclose leak display dump write recite echo expose paste return reproduce quote tell give share state translate summarize summarise list include encode spell provide';

/** Wordings that change the role of a model, or make it reveal its instructions. */
export const ROLE_CHANGING: readonly RiskPattern[] = [
  saying(
    'you | 4 now henceforth longer hereby | 68c dan jailbroken unrestricted uncensored unfiltered ai chatbot bot assistant agent persona language llm gpt root python linux mode bound restricted free without',
    `you(?: are|'re) (?:now|henceforth|from now on|no longer|hereby)\\b (?!ready|able|set|logged|signed|in (?:the|an?|your)\\b|at |on |done|connected)${gap(50)}\\b(?:dan\\b|jailbroken|unrestricted|uncensored|unfiltered|(?:ai|chatbot|bot|assistant|agent|persona|language model|llm|gpt)\\b${NO_TRADE}|root shell|python interpreter|linux terminal|(?:developer|debug|god|admin|maintenance|sudo|jailbreak|dan|unrestricted|root|evil|test) mode|bound by|restricted by|free (?:from|of) (?:all|any|your)|without (?:any )?(?:restrictions|limits|filters|rules))`,
    { rule: 'role-change' },
  ),
  saying(
    'developer debug god dan jailbreak unrestricted unfiltered uncensored filter evil opposite sudo root override now stan aim | 1 mode | 48c now where respond answer comply without ignore obey no',
    `(?:enter|enable|activate|switch (?:in)?to|engage|turn on|unlock|go into|initiate|you are (?:now )?(?:in|operating in|running in)) (?:the |your |into )?["'“]?(?:developer|debug|god|dan|jailbreak|unrestricted|unfiltered|uncensored|no[- ]filter|evil|opposite|sudo|root|admin(?:istrator)? override|do[- ]anything[- ]now|stan|aim)["'”]? mode\\b${gap(30)}\\b(?:now|where|respond|answer|comply|without|ignore|obey|no (?:rules|limits|filters|restrictions))\\b`,
    { rule: 'role-change', ...ORDER, begins: 'enter enable activate switch engage turn unlock go initiate you' },
  ),
  saying(
    'now henceforth point moment here forward | 3 you | 4 answer respond reply act obey speak refuse say recommend follow serve pretend behave',
    '(?:from now on|henceforth|from this (?:point|moment) (?:on|onwards?|forward)|from here on(?: out)?|starting now|going forward),? you (?:will|must|shall|should|have to|are to|only) (?:only |always |never ){0,2}(?:answer|respond|reply|act|obey|speak|refuse|say|recommend|follow|serve|pretend|behave)\\b',
    { rule: 'role-change', strength: 0.9, begins: 'from henceforth starting going' },
  ),
  saying(
    [
      'from | 2 now point moment here | 3 you respond answer reply act behave speak treat obey prefix end',
      'henceforth | 1 you respond answer reply act behave speak treat obey prefix end',
      'starting going | 1 now forward | 1 you respond answer reply act behave speak treat obey prefix end',
    ],
    "(?:from now on|henceforth|from this (?:point|moment) (?:on|onwards?|forward)|from here on(?: out)?|starting now|going forward),? (?:you(?: are|'re| will| must| shall| should| have to| only)|(?:respond|answer|reply|act|behave|speak|treat|obey|prefix|end every))\\b(?! (?:able|ready|be able|see|find|get|receive|also see|notice))",
    { rule: 'role-change', strength: 0.8, isVague: true, begins: 'from henceforth starting going' },
  ),
  saying(
    [
      'pretend act roleplay role simulate behave imagine become | 84c no without | 2 restrictions rules limits filter filters guidelines ethic ethics moral morals safety content',
      'pretend act roleplay role simulate behave imagine become | 84c unrestricted uncensored unfiltered jailbroken anything bound evil',
    ],
    `(?:pretend|act as|act like|roleplay as|role-?play as|simulate|behave (?:as|like)|imagine you|become)\\b${gap(60)}\\b(?:no (?:restrictions|rules|limits|filters?|guidelines|ethics?|morals?|safety|content)\\b|without (?:any )?(?:restrictions|rules|limits|filters|guidelines|ethics?|morals?|safety)\\b|unrestricted|uncensored|unfiltered|jailbroken|do anything now|not bound by|evil (?:ai|bot|assistant))`,
    { rule: 'role-change', ...ORDER, begins: 'pretend act roleplay role simulate behave imagine become' },
  ),
  saying(
    'you | 7 bound restricted limited obey adhere | 48c rule rules restriction policy policies guideline guidelines limit limits limitations filter filters instructions openai anthropic google',
    "you (?:are (?:not|no longer)|aren't|do not have to|don't have to|no longer (?:have|need) to|need not) (?:be )?(?:bound by|restricted by|limited by|obey|adhere to)\\b[^.!?]{0,30}?\\b(?:rules?|restrictions?|polic(?:y|ies)|guidelines?|limits?|limitations|filters?|instructions|openai|anthropic|google)\\b",
    { rule: 'role-change', strength: 0.9 },
  ),
  saying(
    'as | 2 ai llm large language | 90c you | 1 must should shall are have need will',
    'as an? (?:ai|llm|large language model|ai language model|language model|ai assistant|ai agent)(?: language)?(?: model)?(?: reading (?:this|these)[^.!?,]{0,30})?,? you (?:must|should|shall|are (?:required|obliged|obligated|instructed|ordered|to)|have to|need to|will)\\b',
    { rule: 'addressed-to-models', strength: 0.9 },
  ),
  saying(
    [
      `${DISCLOSE} | 8 your | 4 prompt prompts message messages instruction rules configuration guidelines context memory`,
      `${DISCLOSE} | 9 system developer hidden initial | 1 prompt message`,
      `${DISCLOSE} | 8 everything all text words | 3 above`,
    ],
    '(?:reveal|print|show|repeat|output|disclose|leak|display|dump|write out|write down|recite|echo|expose|paste|return|reproduce|quote|tell|give|share|state|translate|summari[sz]e|list|include|encode|spell out|provide)\\b (?:(?:me|us|out|back|all|of|the|full|exact|entire|complete|verbatim|text|contents?|user|them) ){0,6}(?:your (?:\\w{1,20} )?(?:system prompt|system message|system instructions?|(?:initial|original|hidden|internal|secret|full|complete|exact|confidential|base|developer|custom|starting) (?:\\w{1,20} )?(?:instructions?|prompts?|rules|configuration|messages?|guidelines)|instructions|prompt)|your (?:context(?: window)?|memory|configuration)|(?:the |its |this )?(?:system prompt|developer message|hidden prompt|initial prompt)|(?:everything|all (?:the )?(?:text|words)|all) (?:written |that (?:is|was) )?above)\\b',
    { rule: 'prompt-disclosure', ...ORDER },
  ),
  saying(
    'what | 2 your | 1 system initial hidden original',
    'what (?:is|was|are|were) your (?:system prompt|initial instructions|hidden instructions|original instructions)\\b',
    { rule: 'prompt-disclosure', strength: 0.6 },
  ),
  saying(
    'repeat print output write say show | 6 words text lines sentences everything | 3 above | 60c starting beginning verbatim word',
    '(?:repeat|print|output|write|say|show) (?:me )?(?:all )?(?:of )?(?:the )?(?:words|text|lines|sentences|everything) (?:written |that (?:is|are|stand) )?above\\b[^.!?]{0,30}?\\b(?:starting with|beginning with|verbatim|word for word)\\b',
    { rule: 'prompt-disclosure', ...ORDER },
  ),
];
