import { from, onlyWhere, type RiskPattern, within } from './risk-pattern.ts';
import { chain } from './word-chains.ts';

const ORDER = { isOrder: true };
const TAKE =
  'send post forward email mail upload transmit exfiltrate leak append submit include share copy attach deliver report paste encode add put pass relay embed collect gather extract steal fetch';
const GIVE =
  'include provide reveal give share tell output print ask request collect list show insert append return find look retrieve';
const BELONGINGS =
  'api apikey apikeys password passwords credential credentials secret secrets private personal email emails mail mails inbox messages contacts files documents cookies credit card location history data token tokens ssh wallet address calendar bank login logins details information name';
const SECRETS =
  'api apikey apikeys password passwords credential credentials secret secrets private credit conversation ssh social bank wallet chat';
/** One of these stands in all that {@link SENT_TO} finds. */
const SENT =
  'http https hxxp hxxps url webhook endpoint server link query attacker image com net org io example test xyz ru cn dev site evil invalid @';
const SHOW =
  'render display show load fetch embed insert include output print add request visit open navigate create generate end respond call get';
/** One of each stands in all that {@link FILLED} finds. */
const ADDRESS = 'http https';
const FILLING =
  'replace replaced replacing substitute substituted substituting fill filled filling append appended appending containing followed encode encoded encoding where';
const FILLERS =
  'conversation chat secret secrets password passwords api user users summary system messages credential credentials private personal what';
const SENT_TO = [
  /https?:\/|hxxps?:|\S{1,60}@\S|\bto \+\d|\b(?:to|at|via|into|in|through|with)\b[^!?\n]{0,40}?(?:\b(?:url|webhook|endpoint|server|link|query string|query parameters?|attacker|image)\b|[\w-]{2,40}\.(?:com|net|org|io|example|test|xyz|ru|cn|dev|site|evil|invalid)\b)/,
];
const FILLED = [
  /https?:\/\//,
  /\b(?:replac(?:e|ed|ing)|substitut(?:e|ed|ing)|fill(?:ed|ing)?|append(?:ed|ing)?|containing|followed by|encod(?:e|ed|ing)|where)\b/,
  /\b(?:conversation|chat history|secrets?|passwords?|api keys?|user'?s|summary of|system prompt|messages|credentials?|private|personal|what the user)\b/,
];

/** Data that leaves. */
export const EXFILTRATING: readonly RiskPattern[] = [
  onlyWhere(
    [
      chain(TAKE, ['72', 'conversation'], ['260', SENT]),
      chain(
        TAKE,
        ['72', 'chat system previous message session'],
        [1, 'history log logs transcript prompt messages'],
        ['260', SENT],
      ),
      chain(TAKE, ['68', 'users customers victims'], [5, BELONGINGS], ['260', SENT]),
      chain(TAKE, ['68', 'user customer victim owner human'], [1, 's'], [5, BELONGINGS], ['260', SENT]),
      chain(
        TAKE,
        ['68', 'everything anything all'],
        [1, 'you'],
        [2, 'know remember see read access find'],
        ['260', SENT],
      ),
      chain(
        TAKE,
        ['68', 'your'],
        [2, 'memory context instructions system conversation chat secrets environment'],
        ['260', SENT],
      ),
      chain(TAKE, ['68', 'environment private ssh'], [1, 'variables key keys'], ['260', SENT]),
      chain(TAKE, ['72', 'env ssh aws npmrc netrc'], ['260', SENT]),
      chain(
        TAKE,
        ['68', 'any all every'],
        [2, 'api password passwords credentials secrets tokens private sensitive personal confidential'],
        ['260', SENT],
      ),
    ],
    from(
      'send post forward email mail upload transmit exfiltrate leak append submit include share copy attach deliver report paste encode add put pass relay embed collect gather extract steal fetch e',
      'data-exfiltration',
      1,
      "(?:send|post|forward|e-?mail|mail|upload|transmit|exfiltrate|leak|append|submit|include|share|copy|attach|deliver|report|paste|encode|add|put|pass|relay|embed|collect|gather|extract|steal|fetch)\\b[^.!?]{0,50}?\\b(?:(?:(?:the|this|our|your|full|entire|whole|current|user) ){0,4}(?:conversations?(?! ?(?:ids?|identifiers?|names?|titles?)\\b)|chat (?:history|logs?|transcripts?)|system prompt|previous messages|message history|session history)|(?:user'?s'?|users'|victim'?s'?|owner's|human's) (?:\\w{1,20} ){0,3}?(?:api[- ]?keys?|passwords?|credentials?|secrets?|private \\w{1,20}|personal \\w{1,20}|e-?mails?(?! address)|inbox|messages|contacts|files|documents|cookies|credit card|card (?:number|details)|location|history|data|tokens?|ssh keys?|wallet|address book|calendar|bank \\w{1,20}|logins?)|customer'?s'? (?:\\w{1,20} ){0,3}?(?:api[- ]?keys?|passwords?|credentials?|secrets?|credit card|card (?:number|details)|tokens?|logins?)|(?:everything|anything|all) you (?:know|remember|can (?:see|read|access|find))|your (?:memory|context|context window|instructions|system prompt|conversation|chat history|secrets|environment variables)|environment variables|(?:contents? of )?(?:the )?(?:~/)?\\.(?:env|ssh|aws|npmrc|netrc)\\b|ssh keys?|private keys?|(?:any|all|every) (?:\\w{1,20} )?(?:api keys?|passwords?|credentials|secrets|tokens|private data|sensitive (?:data|information)|personal (?:data|information)|confidential (?:data|information|documents)))\\b",
      { isOrder: true, followedBy: SENT_TO, isOneSentence: true },
    ),
  ),
  onlyWhere(
    [
      chain(GIVE, ['50', 'users'], [4, SECRETS]),
      chain(GIVE, ['50', 'user customer victim owner'], [1, 's'], [4, SECRETS]),
    ],
    from(
      'include provide reveal give share tell output print ask request collect list show insert append return find look retrieve',
      'data-exfiltration',
      0.6,
      "(?:include|provide|reveal|give|share|tell|output|print|ask (?:the user )?for|request|collect|list|show|insert|append|return|find|look for|retrieve)\\b[^.!?]{0,30}?\\b(?:the )?(?:user'?s'?|users'|customer's|victim's|owner's) (?:\\w{1,20} ){0,2}?(?:api[- ]?keys?|passwords?|credentials?|secrets?|private keys?|credit card|conversation|ssh keys?|social security|bank|wallet|chat history)\\b",
      ORDER,
    ),
  ),
  onlyWhere(
    [
      chain(
        'print read get list dump find open collect gather take copy load cat',
        [
          '90',
          'environment env ssh aws npmrc netrc private password passwords key keys credentials secrets email emails mail mails inbox files documents messages contacts token tokens conversation chat system api',
        ],
        ['80', 'post send upload forward submit email mail transmit pass append'],
        [1, 'it them this the its'],
        ['260', SENT],
      ),
    ],
    from(
      'print read get list dump find open collect gather take copy load cat',
      'data-exfiltration',
      1,
      "(?:print|read|get|list|dump|find|open|collect|gather|take|copy|load|cat)\\b[^.!?]{0,40}?(?<![a-z])(?:environment variables|\\.(?:env|ssh|aws|npmrc|netrc)\\b|ssh keys?|private keys?|(?:user'?s|their) (?:\\w{1,20} ){0,2}?(?:passwords?|keys?|credentials|secrets|e-?mails|inbox|files|documents|messages|contacts|tokens?)|conversation|chat history|system prompt|api keys?|credentials|secrets)[^.!?]{0,60}?\\b(?:post|send|upload|forward|submit|e-?mail|transmit|pass|append)\\b (?:it|them|this|the (?:result|output|contents?|list)|its contents)\\b",
      { isOrder: true, followedBy: SENT_TO, isOneSentence: true },
    ),
  ),
  within(
    [']('],
    'exfiltration-link',
    1,
    '!?\\[[^\\[\\]\\n]{0,200}\\]\\((?:https?:)?//[^()\\s]{0,200}[?&=/#][^()\\s?&=/#]{0,60}?(?:\\{{1,2}|\\[|<|%7b|\\$\\{?|%%|__)[^()\\n]{0,40}?(?:secret|conversation|chat|history|prompt|summary|password|api[-_ ]?key|credential|encoded|base64|context|memory|private|message|data|info|stolen|leak|email|contents?|text|token|answer|response|input)',
  ),
  onlyWhere(
    [
      ...[
        [ADDRESS, FILLING, FILLERS],
        [ADDRESS, FILLERS, FILLING],
        [FILLING, ADDRESS, FILLERS],
        [FILLING, FILLERS, ADDRESS],
        [FILLERS, ADDRESS, FILLING],
        [FILLERS, FILLING, ADDRESS],
      ].map(([first = '', second = '', third = '']) =>
        chain(
          SHOW,
          ['78', 'image img link url pixel markdown hyperlink'],
          ['260', first],
          ['240', second],
          ['240', third],
        ),
      ),
    ],
    from(
      SHOW,
      'exfiltration-link',
      1,
      '(?:render|display|show|load|fetch|embed|insert|include|output|print|add|request|visit|open|navigate to|create|generate|end|respond|call|get)\\b[^.!?]{0,60}?\\b(?:image|img|link|url|pixel|markdown|hyperlink)\\b',
      { followedBy: FILLED },
    ),
  ),
  within(
    ['={', '=[', '=<', '=%7b', '=$'],
    'exfiltration-link',
    0.9,
    'https?://[^\\s()<>?]{1,200}\\?[^\\s()<>]{0,100}?=(?:\\{{1,2}|\\[|<|%7b|\\$\\{)[^\\s(){}\\[\\]<>]{0,30}?(?:secret|conversation|chat[-_ ]?history|system[-_ ]?prompt|password|api[-_ ]?key|credential|user[-_ ]?data|private|stolen|memory|base64|user[-_ ]?(?:input|message|email|info))',
  ),
];
