import { type RiskPattern, saying } from './risk-pattern.ts';

const ORDER = { isOrder: true };
const HARMFUL_CALLS = 'delete send wipe transfer remove drop exec purchase pay upload share forward';
const OWN_TOOLS = 'shell terminal browser browsing bash code file payment banking fetch memory';
const SHELL_WORDS = 'command commands code script scripts curl wget bash powershell shell';

/** Turning tools against their owner. */
export const MISUSING: readonly RiskPattern[] = [
  saying(
    'use call invoke trigger run execute activate employ | 3 your user available assistant | 5 tool tools function functions plugin plugins browsing shell code access connector permissions capabilities | 2 and to with for in',
    "(?:use|call|invoke|trigger|run|execute|activate|employ) (?:your|the user's|any available|all (?:your )?available|the assistant's) (?:\\w{1,20}[- ]){0,3}?(?:tools?|functions?|plugins?|browsing|shell|code interpreter|access|connectors?|permissions|capabilities)\\b (?:and |to |with |for |in order to )",
    { rule: 'tool-misuse', ...ORDER },
  ),
  saying(
    'call invoke use trigger execute | 22 tool function plugin connector skill | 80c delete send email mail forward transfer purchase buy pay post publish wipe remove erase upload exfiltrate grant share drop disable invite',
    '(?:call|invoke|use|trigger|execute) the [`"\']?[\\w.-]{2,40}[`"\']? (?:tool|function|plugin|connector|skill) (?:to|and|with)\\b[^.!?]{0,60}?\\b(?:delete|send|e-?mail|forward|transfer|purchase|buy|pay|post|publish|wipe|remove|erase|upload|exfiltrate|grant|share|drop|disable|invite)\\b',
    { rule: 'tool-misuse', strength: 0.6, ...ORDER },
  ),
  saying(
    'transfer send wire pay move donate withdraw deposit | 40c usd eur btc eth sol usdc usdt dollars euros bitcoin bitcoins fund funds money balance savings crypto cryptos cryptocurrency cryptocurrencies $ | 80c to into | 24 following wallet address bc iban paypal @ http https attacker account',
    "(?:transfer|send|wire|pay|move|donate|withdraw|deposit) (?:(?:all|the|any|their|your|of|user's|users|available|remaining|over|exactly) ){0,5}(?:\\$ ?[\\d,.]{1,15}|[\\d,.]{1,15} ?(?:usd|eur|btc|eth|sol|usdc|usdt|dollars|euros|bitcoins?)|funds?|money|balance|bitcoins?|crypto(?:s|currency|currencies)?|savings)\\b[^.!?]{0,60}?\\b(?:to|into)\\b (?:the |this |my |our ){0,2}(?:following |wallet|address|0x|bc1|iban|paypal|[\\w.]{1,40}@|https?:|[a-z]{2}\\d\\d|attacker|account (?:number|ending|\\d))",
    { rule: 'tool-misuse', strength: 0.9, ...ORDER },
  ),
  saying(
    ['buy purchase order | 80c behalf', 'buy purchase order | 76c with using | 5 card cards payment payments credit'],
    "(?:buy|purchase|order)\\b[^.!?]{0,60}?\\b(?:on (?:the )?(?:user|customer)'?s behalf|(?:with|using) the (?:user|customer)'?s (?:saved |stored )?(?:cards?|payments?|credit)\\b)",
    { rule: 'tool-misuse', strength: 0.9, ...ORDER, begins: 'buy purchase order' },
  ),
  saying(
    'delete wipe erase destroy remove | 2 all every the any everything | 56c user users access inbox home mailbox account accounts',
    "(?:delete|wipe|erase|destroy|remove) (?:all|every|the user'?s|any|the entire|everything)\\b[^.!?]{0,30}?\\b(?:(?:of |in )?the user'?s (?:files|e-?mails?|data|documents|home|account|inbox|messages|photos|contacts|calendar|mailbox)\\b|you (?:can|have) access|in (?:the user'?s |their )(?:inbox|home directory|mailbox|accounts?)\\b)",
    { rule: 'tool-misuse', ...ORDER },
  ),
  saying(
    [
      `immediately silently first now must automatically quietly secretly | 2 run execute eval download pipe | 80c ${SHELL_WORDS}`,
      `before | 1 anything doing answering responding continuing | 48c run execute eval download pipe | 80c ${SHELL_WORDS}`,
    ],
    '(?:immediately|silently|first|now|must|automatically|quietly|secretly|before (?:anything|doing|answering|responding|continuing)[^.!?,]{0,30},?) (?:then )?(?:run|execute|eval|download and run|pipe)\\b[^.!?\\n]{0,60}?\\b(?:commands?|code|scripts?|curl|wget|bash|powershell|shell)\\b',
    {
      rule: 'tool-misuse',
      strength: 0.5,
      begins: 'immediately silently first now must automatically quietly secretly before',
    },
  ),
  saying(
    'execute run | 2 rm mkfs format curl | 240c tool shell terminal without silently',
    '(?:execute|run) (?:`|")?(?:sudo )?(?:rm -rf|mkfs|format c:|curl [^!?\\n]{1,120}\\| ?(?:sudo )?(?:ba)?sh)[^.!?\\n]{0,40}?\\b(?:tool|shell|terminal|without|silently)\\b',
    { rule: 'tool-misuse', strength: 0.6, ...ORDER },
  ),
  saying(
    'agent agents assistant assistants llm llms model models | 2 must should shall need needs required has have | 4 run execute install download curl paste type click visit open purchase transfer approve merge | 80c command commands curl wget http https sh bash npx npm pip payment payments funds link',
    '(?:agents?|assistants?|llms?|models?) (?:must|should|shall|needs? to|are required to|is required to|has to|have to) (?:first |now |immediately |always |also |automatically |silently ){0,2}(?:run|execute|install|download|curl|paste|type|click|visit|open|purchase|transfer|approve|merge)\\b (?!(?:tools? )?(?:in|with|through|only) )[^.!?]{0,60}?\\b(?:commands?|curl|wget|https?|sh|bash|npx|npm|pip|payments?|funds|this link|the link)\\b',
    { rule: 'tool-misuse', strength: 0.9 },
  ),
  saying(
    'decode decrypt decipher unscramble | 76c and then | 12 follow obey execute carry do comply act perform run',
    '(?:decode|decrypt|decipher|unscramble)\\b[^.!?]{0,60}?\\b(?:and|then)\\b[^.!?]{0,20}?\\b(?:follow|obey|execute|carry out|do (?:what|as)|comply|act on|perform|run)\\b[^.!?]{0,30}?\\b(?:it|them|instructions?|what|result|says?|message|orders?|contents?)\\b',
    { rule: 'encoded-payload', strength: 0.7, ...ORDER },
  ),
  saying(
    `call invoke use trigger execute | 6 ${HARMFUL_CALLS} | 3 tool function plugin connector skill`,
    `(?:call|invoke|use|trigger|execute) the [\`"']?(?:\\w{1,20}[.-]|[a-z]{1,20}_)?(?:${HARMFUL_CALLS.replaceAll(' ', '|')})(?:[_.-]\\w{1,30})?[\`"']? (?:tool|function|plugin|connector|skill)\\b`,
    { rule: 'tool-misuse', strength: 0.6, ...ORDER },
  ),
  saying(
    `run execute open send pay transfer submit | 200c with using via through | 1 your | 1 ${OWN_TOOLS} | 1 tool tools function functions plugin connector skill`,
    `(?:run|execute|open|send|pay|transfer|submit)\\b[^!?\\n]{1,160}?\\b(?:with|using|via|through) your (?:${OWN_TOOLS.replaceAll(' ', '|')}) (?:tools?|functions?|plugin|connector|skill)\\b`,
    { rule: 'tool-misuse', ...ORDER },
  ),
];
