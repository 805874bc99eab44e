import { anywhere, type RiskPattern, saying } from './risk-pattern.ts';

const ORDER = { isOrder: true };
const TAKE =
  'send post forward email mail upload transmit exfiltrate leak append submit include share copy attach deliver report paste encode add put pass relay embed collect gather extract steal fetch';
const GIVE =
  'include provide reveal give share tell output print ask request collect list show insert append return find look retrieve';
const BELONGINGS =
  'api apikey apikeys password passwords credential credentials secret secrets private personal email emails mail mails inbox messages contacts files documents cookies credit card location history data token tokens ssh wallet address calendar bank login logins details information name';
const SECRETS =
  'api apikey apikeys password passwords credential credentials secret secrets private credit conversation ssh social bank wallet chat';
/** Every match of {@link SENT_TO} contains one of these. */
const SENT =
  'http https hxxp hxxps url webhook endpoint server link query attacker image com net org io example test xyz ru cn dev site evil invalid @';
const SHOW =
  'render display show load fetch embed insert include output print add request visit open navigate create generate end respond call get';
/** Every match of {@link FILLED} contains one of each. */
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

/** Instructions to send data away. */
export const EXFILTRATING: readonly RiskPattern[] = [
  saying(
    [
      `${TAKE} | 72c conversation | 260c ${SENT}`,
      `${TAKE} | 72c chat system previous message session | 1 history log logs transcript prompt messages | 260c ${SENT}`,
      `${TAKE} | 68c users customers victims | 5 ${BELONGINGS} | 260c ${SENT}`,
      `${TAKE} | 68c user customer victim owner human | 1 s | 5 ${BELONGINGS} | 260c ${SENT}`,
      `${TAKE} | 68c everything anything all | 1 you | 2 know remember see read access find | 260c ${SENT}`,
      `${TAKE} | 68c your | 2 memory context instructions system conversation chat secrets environment | 260c ${SENT}`,
      `${TAKE} | 68c environment private ssh | 1 variables key keys | 260c ${SENT}`,
      `${TAKE} | 72c env ssh aws npmrc netrc | 260c ${SENT}`,
      `${TAKE} | 68c any all every | 2 api password passwords credentials secrets tokens private sensitive personal confidential | 260c ${SENT}`,
    ],
    "(?:send|post|forward|e-?mail|mail|upload|transmit|exfiltrate|leak|append|submit|include|share|copy|attach|deliver|report|paste|encode|add|put|pass|relay|embed|collect|gather|extract|steal|fetch)\\b[^.!?]{0,50}?\\b(?:(?:(?:the|this|our|your|full|entire|whole|current|user) ){0,4}(?:conversations?(?! ?(?:ids?|identifiers?|names?|titles?)\\b)|chat (?:history|logs?|transcripts?)|system prompt|previous messages|message history|session history)|(?:user'?s'?|users'|victim'?s'?|owner's|human's) (?:\\w{1,20} ){0,3}?(?:api[- ]?keys?|passwords?|credentials?|secrets?|private \\w{1,20}|personal \\w{1,20}|e-?mails?(?! address)|inbox|messages|contacts|files|documents|cookies|credit card|card (?:number|details)|location|history|data|tokens?|ssh keys?|wallet|address book|calendar|bank \\w{1,20}|logins?)|customer'?s'? (?:\\w{1,20} ){0,3}?(?:api[- ]?keys?|passwords?|credentials?|secrets?|credit card|card (?:number|details)|tokens?|logins?)|(?:everything|anything|all) you (?:know|remember|can (?:see|read|access|find))|your (?:memory|context|context window|instructions|system prompt|conversation|chat history|secrets|environment variables)|environment variables|(?:contents? of )?(?:the )?(?:~/)?\\.(?:env|ssh|aws|npmrc|netrc)\\b|ssh keys?|private keys?|(?:any|all|every) (?:\\w{1,20} )?(?:api keys?|passwords?|credentials|secrets|tokens|private data|sensitive (?:data|information)|personal (?:data|information)|confidential (?:data|information|documents)))\\b",
    {
      rule: 'data-exfiltration',
      isOrder: true,
      followedBy: SENT_TO,
      isOneSentence: true,
      begins:
        'send post forward email mail upload transmit exfiltrate leak append submit include share copy attach deliver report paste encode add put pass relay embed collect gather extract steal fetch e',
    },
  ),
  saying(
    [`${GIVE} | 50c users | 4 ${SECRETS}`, `${GIVE} | 50c user customer victim owner | 1 s | 4 ${SECRETS}`],
    "(?:include|provide|reveal|give|share|tell|output|print|ask (?:the user )?for|request|collect|list|show|insert|append|return|find|look for|retrieve)\\b[^.!?]{0,30}?\\b(?:the )?(?:user'?s'?|users'|customer's|victim's|owner's) (?:\\w{1,20} ){0,2}?(?:api[- ]?keys?|passwords?|credentials?|secrets?|private keys?|credit card|conversation|ssh keys?|social security|bank|wallet|chat history)\\b",
    {
      rule: 'data-exfiltration',
      strength: 0.6,
      ...ORDER,
      begins:
        'include provide reveal give share tell output print ask request collect list show insert append return find look retrieve',
    },
  ),
  saying(
    `print read get list dump find open collect gather take copy load cat | 90c environment env ssh aws npmrc netrc private password passwords key keys credentials secrets email emails mail mails inbox files documents messages contacts token tokens conversation chat system api | 80c post send upload forward submit email mail transmit pass append | 1 it them this the its | 260c ${SENT}`,
    "(?:print|read|get|list|dump|find|open|collect|gather|take|copy|load|cat)\\b[^.!?]{0,40}?(?<![a-z])(?:environment variables|\\.(?:env|ssh|aws|npmrc|netrc)\\b|ssh keys?|private keys?|(?:user'?s|their) (?:\\w{1,20} ){0,2}?(?:passwords?|keys?|credentials|secrets|e-?mails|inbox|files|documents|messages|contacts|tokens?)|conversation|chat history|system prompt|api keys?|credentials|secrets)[^.!?]{0,60}?\\b(?:post|send|upload|forward|submit|e-?mail|transmit|pass|append)\\b (?:it|them|this|the (?:result|output|contents?|list)|its contents)\\b",
    { rule: 'data-exfiltration', isOrder: true, followedBy: SENT_TO, isOneSentence: true },
  ),
  anywhere(
    [],
    '!?\\[[^\\[\\]\\n]{0,200}\\]\\((?:https?:)?//[^()\\s]{0,200}[?&=/#][^()\\s?&=/#]{0,60}?(?:\\{{1,2}|\\[|<|%7b|\\$\\{?|%%|__)[^()\\n]{0,40}?(?:secret|conversation|chat|history|prompt|summary|password|api[-_ ]?key|credential|encoded|base64|context|memory|private|message|data|info|stolen|leak|email|contents?|text|token|answer|response|input)',
    { rule: 'exfiltration-link', needs: [']('] },
  ),
  saying(
    [
      [ADDRESS, FILLING, FILLERS],
      [ADDRESS, FILLERS, FILLING],
      [FILLING, ADDRESS, FILLERS],
      [FILLING, FILLERS, ADDRESS],
      [FILLERS, ADDRESS, FILLING],
      [FILLERS, FILLING, ADDRESS],
    ].map(
      ([first, second, third]) =>
        `${SHOW} | 78c image img link url pixel markdown hyperlink | 260c ${first} | 240c ${second} | 240c ${third}`,
    ),
    '(?:render|display|show|load|fetch|embed|insert|include|output|print|add|request|visit|open|navigate to|create|generate|end|respond|call|get)\\b[^.!?]{0,60}?\\b(?:image|img|link|url|pixel|markdown|hyperlink)\\b',
    { rule: 'exfiltration-link', followedBy: FILLED },
  ),
  anywhere(
    [],
    'https?://[^\\s()<>?]{1,200}\\?[^\\s()<>]{0,100}?=(?:\\{{1,2}|\\[|<|%7b|\\$\\{)[^\\s(){}\\[\\]<>]{0,30}?(?:secret|conversation|chat[-_ ]?history|system[-_ ]?prompt|password|api[-_ ]?key|credential|user[-_ ]?data|private|stolen|memory|base64|user[-_ ]?(?:input|message|email|info))',
    { rule: 'exfiltration-link', strength: 0.9, needs: ['={', '=[', '=<', '=%7b', '=$'] },
  ),
];
