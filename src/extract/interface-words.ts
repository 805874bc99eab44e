/**
 * What the buttons and counters of shops, forums and magazines say, if they are not marked as such.
 *
 * Tested against a whole short text, and never in a manual, where "Add to cart" may be the subject of a page.
 */
const LINES = [
  'add(?: item)? to (?:my )?(?:cart|bag|basket|wish ?list|list|compare|quote|favou?rites)|buy(?: it)? now|checkout|pre-?order',
  'quick (?:view|shop|add|buy|look)|choose options?|select (?:options?|size|colou?r)|(?:select )?quantity|size guide',
  '(?:view|see|show|load|read|learn|shop|browse|discover|explore)(?: (?:the|this|our))?(?: (?:now|all|more|less|details?|product|products|full|item|items|results|options|cart|story|article|post))+',
  '(?:only )?\\d+ (?:left )?in stock|free (?:shipping|delivery|returns)|best ?seller|new arrival|on sale|sale!?',
  '(?:regular|sale|unit|list|original|current|our) price|price|vat included|tax included|save \\d+ ?%|[-–]?\\d+ ?% off',
  '(?:rated )?\\d(?:[.,]\\d+)?(?: stars?)? out of (?:5|five)(?: stars)?.{0,30}|\\(?\\d[\\d,. ]*\\)?(?: (?:customer )?(?:reviews?|ratings?|votes?|likes?|posts?|replies|answers?|views?|comments?|items?|products?|results?))|\\(\\d+\\)',
  'loading(?: ?\\.\\.\\.|…)?|please wait|image \\d+ of \\d+|\\d+ (?:of|/) \\d+|previous(?: slide| page)?|next(?: slide| page)?|close|menu|search|filters?|sort(?: by)?:?|clear(?: all)?|reset|apply',
  'share|reply|quote|report|follow|like|save|print|copy link|flag|upvote|downvote|add to quote|link copied.{0,20}|last edited.{0,60}',
  'click to (?:expand|shrink)|improve this (?:question|answer)|jump to (?:latest|first|new)(?: \\w+)?|sorted by:?.{0,20}|reply with quote|visit homepage|(?:view|show) (?:profile|forum posts|forum threads|blog entries|articles)',
  'you must (?:be logged in|log ?in|sign in|register).{0,40}|ask (?:a )?question|start asking to get answers|find the answer to your question by asking|explore related questions|see similar questions with these tags|sign up to request clarification.{0,50}',
  '(?:log|sign) ?(?:in|up|out)|register|subscribe|join(?: now| us| free)?|my account|get started',
  '(?:joined|join date|member since|posts|messages|reputation|reaction score|threads):? \\S.{0,40}|(?:senior |junior |new |active )?members?|moderator|administrator|thread starter|original poster|topic starter|(?:offline|online)',
];
const INTERFACE_LINE = new RegExp(`^(?:${LINES.join('|')})[.!:›»→ ]*$`, 'i');

export function isInterfaceLine(text: string): boolean {
  return INTERFACE_LINE.test(text);
}
