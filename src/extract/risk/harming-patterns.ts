import { from, type RiskPattern, within } from './risk-pattern.ts';

const ORDER = { isOrder: true };

const SENT_TO = [
  /https?:\/|hxxps?:|\S{1,60}@\S|\bto \+\d|\b(?:to|at|via|into|in|through|with)\b[^!?\n]{0,40}?(?:\b(?:url|webhook|endpoint|server|link|query string|query parameters?|attacker|image)\b|[\w-]{2,40}\.(?:com|net|org|io|example|test|xyz|ru|cn|dev|site|evil|invalid)\b)/,
];
const FILLED = [
  /https?:\/\//,
  /\b(?:replac|substitut|fill|append|containing|followed by|encod|where)/,
  /\b(?:conversation|chat history|secrets?|passwords?|api keys?|user'?s|summary of|system prompt|messages|credentials?|private|personal|what the user)\b/,
];

/** Data that leaves, and tools that are turned against their owner. */
export const HARMING: readonly RiskPattern[] = [
  from(
    'send post forward email mail upload transmit exfiltrate leak append submit include share copy attach deliver report paste encode add put pass relay embed collect gather extract steal fetch e',
    'data-exfiltration',
    1,
    "(?:send|post|forward|e-?mail|mail|upload|transmit|exfiltrate|leak|append|submit|include|share|copy|attach|deliver|report|paste|encode|add|put|pass|relay|embed|collect|gather|extract|steal|fetch)\\b[^.!?]{0,50}?\\b(?:(?:(?:the|this|our|your|full|entire|whole|current|user) ){0,4}(?:conversation|chat (?:history|log|transcript)|system prompt|previous messages|message history|session history)|(?:user'?s'?|users'|customer'?s'?|victim'?s'?|owner's|human's) (?:\\w{1,20} ){0,3}?(?:api[- ]?keys?|passwords?|credentials?|secrets?|private \\w{1,20}|personal \\w{1,20}|e-?mails?(?! address)|inbox|messages|contacts|files|documents|cookies|credit card|card (?:number|details)|location|history|data|tokens?|ssh keys?|wallet|address book|calendar|bank \\w{1,20}|logins?|details|information|name)|(?:everything|anything|all) you (?:know|remember|can (?:see|read|access|find))|your (?:memory|context|context window|instructions|system prompt|conversation|chat history|secrets|environment variables)|environment variables|(?:contents? of )?(?:the )?(?:~/)?\\.(?:env|ssh|aws|npmrc|netrc)\\b|ssh keys?|private keys?|(?:any|all|every) (?:\\w{1,20} )?(?:api keys?|passwords?|credentials|secrets|tokens|private data|sensitive (?:data|information)|personal (?:data|information)|confidential (?:data|information|documents)))",
    { isOrder: true, followedBy: SENT_TO },
  ),
  from(
    'include provide reveal give share tell output print ask request collect list show insert append return find look retrieve',
    'data-exfiltration',
    0.6,
    "(?:include|provide|reveal|give|share|tell|output|print|ask (?:the user )?for|request|collect|list|show|insert|append|return|find|look for|retrieve)\\b[^.!?]{0,30}?\\b(?:the )?(?:user'?s'?|users'|customer's|victim's|owner's) (?:\\w{1,20} ){0,2}?(?:api[- ]?keys?|passwords?|credentials?|secrets?|private keys?|credit card|conversation|ssh keys?|social security|bank|wallet|chat history)",
    ORDER,
  ),
  from(
    'print read get list dump find open collect gather take copy load cat',
    'data-exfiltration',
    1,
    "(?:print|read|get|list|dump|find|open|collect|gather|take|copy|load|cat)\\b[^.!?]{0,40}?(?:environment variables|\\.(?:env|ssh|aws|npmrc|netrc)\\b|ssh keys?|private keys?|(?:user'?s|their) (?:\\w{1,20} ){0,2}?(?:passwords?|keys?|credentials|secrets|e-?mails|inbox|files|documents|messages|contacts|tokens?)|conversation|chat history|system prompt|api keys?|credentials|secrets)[^.!?]{0,60}?\\b(?:post|send|upload|forward|submit|e-?mail|transmit|pass|append)\\b (?:it|them|this|the (?:result|output|contents?|list)|its contents)\\b",
    { isOrder: true, followedBy: SENT_TO },
  ),
  within(
    [']('],
    'exfiltration-link',
    1,
    '!?\\[[^\\[\\]\\n]{0,200}\\]\\((?:https?:)?//[^()\\s]{0,200}[?&=/#][^()\\s?&=/#]{0,60}?(?:\\{{1,2}|\\[|<|%7b|\\$\\{?|%%|__)[^()\\n]{0,40}?(?:secret|conversation|chat|history|prompt|summary|password|api[-_ ]?key|credential|encoded|base64|context|memory|private|message|data|info|stolen|leak|email|contents?|text|token|answer|response|input)',
  ),
  from(
    'render display show load fetch embed insert include output print add request visit open navigate create generate end respond call get',
    'exfiltration-link',
    1,
    '(?:render|display|show|load|fetch|embed|insert|include|output|print|add|request|visit|open|navigate to|create|generate|end|respond|call|get)\\b[^.!?]{0,60}?\\b(?:image|img|link|url|pixel|markdown|hyperlink)\\b',
    { followedBy: FILLED },
  ),
  within(
    ['={', '=[', '=<', '=%7b', '=$'],
    'exfiltration-link',
    0.9,
    'https?://[^\\s()<>?]{1,200}\\?[^\\s()<>]{0,100}?=(?:\\{{1,2}|\\[|<|%7b|\\$\\{)[^\\s(){}\\[\\]<>]{0,30}?(?:secret|conversation|chat[-_ ]?history|system[-_ ]?prompt|password|api[-_ ]?key|credential|user[-_ ]?data|private|stolen|memory|base64|user[-_ ]?(?:input|message|email|info))',
  ),
  from(
    'use call invoke trigger run execute activate employ',
    'tool-misuse',
    1,
    "(?:use|call|invoke|trigger|run|execute|activate|employ) (?:your|the user's|any available|all (?:your )?available|the assistant's) (?:\\w{1,20}[- ]){0,3}?(?:tools?|functions?|plugins?|browsing|shell|code interpreter|access|connectors?|permissions|capabilities)\\b (?:and |to |with |for |in order to )",
    ORDER,
  ),
  from(
    'call invoke use trigger execute',
    'tool-misuse',
    0.6,
    '(?:call|invoke|use|trigger|execute) the [`"\']?[\\w.-]{2,40}[`"\']? (?:tool|function|plugin|connector|skill) (?:to|and|with)\\b[^.!?]{0,60}?\\b(?:delete|send|e-?mail|forward|transfer|purchase|buy|pay|post|publish|wipe|remove|erase|upload|exfiltrate|grant|share|drop|disable|invite)',
    ORDER,
  ),
  from(
    'transfer send wire pay move donate withdraw deposit',
    'tool-misuse',
    0.9,
    "(?:transfer|send|wire|pay|move|donate|withdraw|deposit) (?:(?:all|the|any|their|your|of|user's|users|available|remaining|over|exactly) ){0,5}(?:\\$ ?[\\d,.]{1,15}|[\\d,.]{1,15} ?(?:usd|eur|btc|eth|sol|usdc|usdt|dollars|euros|bitcoins?)|funds?|money|balance|bitcoins?|crypto\\w{0,10}|savings)\\b[^.!?]{0,60}?\\b(?:to|into)\\b (?:the |this |my |our ){0,2}(?:following |wallet|address|0x|bc1|iban|paypal|[\\w.]{1,40}@|https?:|[a-z]{2}\\d\\d|attacker|account (?:number|ending|\\d))",
    ORDER,
  ),
  from(
    'buy purchase order',
    'tool-misuse',
    0.9,
    "(?:buy|purchase|order)\\b[^.!?]{0,60}?\\b(?:on (?:the )?(?:user|customer)'?s behalf|(?:with|using) the (?:user|customer)'?s (?:saved |stored )?(?:card|payment|credit))",
    ORDER,
  ),
  from(
    'delete wipe erase destroy remove',
    'tool-misuse',
    1,
    "(?:delete|wipe|erase|destroy|remove) (?:all|every|the user'?s|any|the entire|everything)\\b[^.!?]{0,30}?\\b(?:of the user'?s|user'?s (?:files|emails?|data|documents|home|account|inbox)|you (?:can|have) access|in (?:the user'?s |their )(?:inbox|home directory|mailbox|account))",
    ORDER,
  ),
  from(
    'immediately silently first now must automatically quietly secretly before',
    'tool-misuse',
    0.5,
    '(?:immediately|silently|first|now|must|automatically|quietly|secretly|before (?:anything|doing|answering|responding|continuing)[^.!?,]{0,30},?) (?:then )?(?:run|execute|eval|download and run|pipe)\\b[^.!?\\n]{0,60}?\\b(?:commands?|code|scripts?|curl|wget|bash|powershell|shell)\\b',
  ),
  from(
    'execute run',
    'tool-misuse',
    0.6,
    '(?:execute|run) (?:`|")?(?:sudo )?(?:rm -rf|mkfs|format c:|curl [^.!?\\n]{1,80}\\| ?(?:sudo )?(?:ba)?sh)[^.!?\\n]{0,40}?\\b(?:tool|shell|terminal|without|silently)\\b',
    ORDER,
  ),
  from(
    'agent agents assistant assistants llm llms model models',
    'tool-misuse',
    0.9,
    '(?:agents?|assistants?|llms?|models?) (?:must|should|shall|needs? to|are required to|is required to|has to|have to) (?:first |now |immediately |always |also |automatically |silently ){0,2}(?:run|execute|install|download|curl|paste|type|click|visit|open|purchase|transfer|approve|merge)\\b (?!(?:tools? )?(?:in|with|through|only) )[^.!?]{0,60}?(?:command|curl|wget|https?:|\\bsh\\b|bash|npx|npm|pip |payment|funds|this link|the link)',
  ),
  from(
    'decode decrypt decipher unscramble',
    'encoded-payload',
    0.7,
    '(?:decode|decrypt|decipher|unscramble)\\b[^.!?]{0,60}?\\b(?:and|then)\\b[^.!?]{0,20}?\\b(?:follow|obey|execute|carry out|do (?:what|as)|comply|act on|perform|run)\\b[^.!?]{0,30}?\\b(?:it|them|instructions?|what|result|says?|message|orders?|contents?)\\b',
    ORDER,
  ),
];
