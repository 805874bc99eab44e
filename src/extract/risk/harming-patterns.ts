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
const SHELL_WORDS = 'command commands code script scripts curl wget bash powershell shell';

const SENT_TO = [
  /https?:\/|hxxps?:|\S{1,60}@\S|\bto \+\d|\b(?:to|at|via|into|in|through|with)\b[^!?\n]{0,40}?(?:\b(?:url|webhook|endpoint|server|link|query string|query parameters?|attacker|image)\b|[\w-]{2,40}\.(?:com|net|org|io|example|test|xyz|ru|cn|dev|site|evil|invalid)\b)/,
];
const FILLED = [
  /https?:\/\//,
  /\b(?:replac(?:e|ed|ing)|substitut(?:e|ed|ing)|fill(?:ed|ing)?|append(?:ed|ing)?|containing|followed by|encod(?:e|ed|ing)|where)\b/,
  /\b(?:conversation|chat history|secrets?|passwords?|api keys?|user'?s|summary of|system prompt|messages|credentials?|private|personal|what the user)\b/,
];

/** Data that leaves, and tools that are turned against their owner. */
export const HARMING: readonly RiskPattern[] = [
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
      "(?:send|post|forward|e-?mail|mail|upload|transmit|exfiltrate|leak|append|submit|include|share|copy|attach|deliver|report|paste|encode|add|put|pass|relay|embed|collect|gather|extract|steal|fetch)\\b[^.!?]{0,50}?\\b(?:(?:(?:the|this|our|your|full|entire|whole|current|user) ){0,4}(?:conversations?|chat (?:history|logs?|transcripts?)|system prompt|previous messages|message history|session history)|(?:user'?s'?|users'|customer'?s'?|victim'?s'?|owner's|human's) (?:\\w{1,20} ){0,3}?(?:api[- ]?keys?|passwords?|credentials?|secrets?|private \\w{1,20}|personal \\w{1,20}|e-?mails?(?! address)|inbox|messages|contacts|files|documents|cookies|credit card|card (?:number|details)|location|history|data|tokens?|ssh keys?|wallet|address book|calendar|bank \\w{1,20}|logins?|details|information|name)|(?:everything|anything|all) you (?:know|remember|can (?:see|read|access|find))|your (?:memory|context|context window|instructions|system prompt|conversation|chat history|secrets|environment variables)|environment variables|(?:contents? of )?(?:the )?(?:~/)?\\.(?:env|ssh|aws|npmrc|netrc)\\b|ssh keys?|private keys?|(?:any|all|every) (?:\\w{1,20} )?(?:api keys?|passwords?|credentials|secrets|tokens|private data|sensitive (?:data|information)|personal (?:data|information)|confidential (?:data|information|documents)))\\b",
      { isOrder: true, followedBy: SENT_TO },
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
          '64',
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
      "(?:print|read|get|list|dump|find|open|collect|gather|take|copy|load|cat)\\b[^.!?]{0,40}?(?:environment variables|\\.(?:env|ssh|aws|npmrc|netrc)\\b|ssh keys?|private keys?|(?:user'?s|their) (?:\\w{1,20} ){0,2}?(?:passwords?|keys?|credentials|secrets|e-?mails|inbox|files|documents|messages|contacts|tokens?)|conversation|chat history|system prompt|api keys?|credentials|secrets)[^.!?]{0,60}?\\b(?:post|send|upload|forward|submit|e-?mail|transmit|pass|append)\\b (?:it|them|this|the (?:result|output|contents?|list)|its contents)\\b",
      { isOrder: true, followedBy: SENT_TO },
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
  onlyWhere(
    [
      chain(
        'use call invoke trigger run execute activate employ',
        [3, 'your user available assistant'],
        [
          5,
          'tool tools function functions plugin plugins browsing shell code access connector permissions capabilities',
        ],
        [2, 'and to with for in'],
      ),
    ],
    from(
      'use call invoke trigger run execute activate employ',
      'tool-misuse',
      1,
      "(?:use|call|invoke|trigger|run|execute|activate|employ) (?:your|the user's|any available|all (?:your )?available|the assistant's) (?:\\w{1,20}[- ]){0,3}?(?:tools?|functions?|plugins?|browsing|shell|code interpreter|access|connectors?|permissions|capabilities)\\b (?:and |to |with |for |in order to )",
      ORDER,
    ),
  ),
  onlyWhere(
    [
      chain(
        'call invoke use trigger execute',
        [12, 'tool function plugin connector skill'],
        [
          '80',
          'delete send email mail forward transfer purchase buy pay post publish wipe remove erase upload exfiltrate grant share drop disable invite',
        ],
      ),
    ],
    from(
      'call invoke use trigger execute',
      'tool-misuse',
      0.6,
      '(?:call|invoke|use|trigger|execute) the [`"\']?[\\w.-]{2,40}[`"\']? (?:tool|function|plugin|connector|skill) (?:to|and|with)\\b[^.!?]{0,60}?\\b(?:delete|send|e-?mail|forward|transfer|purchase|buy|pay|post|publish|wipe|remove|erase|upload|exfiltrate|grant|share|drop|disable|invite)\\b',
      ORDER,
    ),
  ),
  onlyWhere(
    [
      chain(
        'transfer send wire pay move donate withdraw deposit',
        [
          '40',
          'usd eur btc eth sol usdc usdt dollars euros bitcoin bitcoins fund funds money balance savings crypto cryptos cryptocurrency cryptocurrencies $',
        ],
        ['80', 'to into'],
        [4, 'following wallet address bc iban paypal @ http https attacker account'],
      ),
    ],
    from(
      'transfer send wire pay move donate withdraw deposit',
      'tool-misuse',
      0.9,
      "(?:transfer|send|wire|pay|move|donate|withdraw|deposit) (?:(?:all|the|any|their|your|of|user's|users|available|remaining|over|exactly) ){0,5}(?:\\$ ?[\\d,.]{1,15}|[\\d,.]{1,15} ?(?:usd|eur|btc|eth|sol|usdc|usdt|dollars|euros|bitcoins?)|funds?|money|balance|bitcoins?|crypto(?:s|currency|currencies)?|savings)\\b[^.!?]{0,60}?\\b(?:to|into)\\b (?:the |this |my |our ){0,2}(?:following |wallet|address|0x|bc1|iban|paypal|[\\w.]{1,40}@|https?:|[a-z]{2}\\d\\d|attacker|account (?:number|ending|\\d))",
      ORDER,
    ),
  ),
  onlyWhere(
    [
      chain('buy purchase order', ['80', 'behalf']),
      chain('buy purchase order', ['76', 'with using'], [5, 'card cards payment payments credit']),
    ],
    from(
      'buy purchase order',
      'tool-misuse',
      0.9,
      "(?:buy|purchase|order)\\b[^.!?]{0,60}?\\b(?:on (?:the )?(?:user|customer)'?s behalf|(?:with|using) the (?:user|customer)'?s (?:saved |stored )?(?:cards?|payments?|credit)\\b)",
      ORDER,
    ),
  ),
  onlyWhere(
    [
      chain(
        'delete wipe erase destroy remove',
        [2, 'all every the any everything'],
        ['56', 'user users access inbox home mailbox account accounts'],
      ),
    ],
    from(
      'delete wipe erase destroy remove',
      'tool-misuse',
      1,
      "(?:delete|wipe|erase|destroy|remove) (?:all|every|the user'?s|any|the entire|everything)\\b[^.!?]{0,30}?\\b(?:of the user'?s|user'?s (?:files|emails?|data|documents|home|account|inbox)|you (?:can|have) access|in (?:the user'?s |their )(?:inbox|home directory|mailbox|accounts?)\\b)",
      ORDER,
    ),
  ),
  onlyWhere(
    [
      chain(
        'immediately silently first now must automatically quietly secretly',
        [2, 'run execute eval download pipe'],
        ['80', SHELL_WORDS],
      ),
      chain(
        'before',
        [1, 'anything doing answering responding continuing'],
        ['48', 'run execute eval download pipe'],
        ['80', SHELL_WORDS],
      ),
    ],
    from(
      'immediately silently first now must automatically quietly secretly before',
      'tool-misuse',
      0.5,
      '(?:immediately|silently|first|now|must|automatically|quietly|secretly|before (?:anything|doing|answering|responding|continuing)[^.!?,]{0,30},?) (?:then )?(?:run|execute|eval|download and run|pipe)\\b[^.!?\\n]{0,60}?\\b(?:commands?|code|scripts?|curl|wget|bash|powershell|shell)\\b',
    ),
  ),
  onlyWhere(
    [chain('execute run', [2, 'rm mkfs format curl'], ['140', 'tool shell terminal without silently'])],
    from(
      'execute run',
      'tool-misuse',
      0.6,
      '(?:execute|run) (?:`|")?(?:sudo )?(?:rm -rf|mkfs|format c:|curl [^.!?\\n]{1,80}\\| ?(?:sudo )?(?:ba)?sh)[^.!?\\n]{0,40}?\\b(?:tool|shell|terminal|without|silently)\\b',
      ORDER,
    ),
  ),
  onlyWhere(
    [
      chain(
        'agent agents assistant assistants llm llms model models',
        [2, 'must should shall need needs required has have'],
        [4, 'run execute install download curl paste type click visit open purchase transfer approve merge'],
        ['80', 'command commands curl wget http https sh bash npx npm pip payment payments funds link'],
      ),
    ],
    from(
      'agent agents assistant assistants llm llms model models',
      'tool-misuse',
      0.9,
      '(?:agents?|assistants?|llms?|models?) (?:must|should|shall|needs? to|are required to|is required to|has to|have to) (?:first |now |immediately |always |also |automatically |silently ){0,2}(?:run|execute|install|download|curl|paste|type|click|visit|open|purchase|transfer|approve|merge)\\b (?!(?:tools? )?(?:in|with|through|only) )[^.!?]{0,60}?\\b(?:commands?|curl|wget|https?|sh|bash|npx|npm|pip|payments?|funds|this link|the link)\\b',
    ),
  ),
  onlyWhere(
    [
      chain(
        'decode decrypt decipher unscramble',
        ['76', 'and then'],
        [12, 'follow obey execute carry do comply act perform run'],
      ),
    ],
    from(
      'decode decrypt decipher unscramble',
      'encoded-payload',
      0.7,
      '(?:decode|decrypt|decipher|unscramble)\\b[^.!?]{0,60}?\\b(?:and|then)\\b[^.!?]{0,20}?\\b(?:follow|obey|execute|carry out|do (?:what|as)|comply|act on|perform|run)\\b[^.!?]{0,30}?\\b(?:it|them|instructions?|what|result|says?|message|orders?|contents?)\\b',
      ORDER,
    ),
  ),
];
