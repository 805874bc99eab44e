/**
 * Headings under which shops, forums and magazines lead to something else: similar items, comments, an invitation. In a manual "Related topics" is content, so
 * this is never used for a manual.
 */
const OPENINGS = [
  'related (?:products?|items?|articles?|posts?|stories|content|searches|topics|links|reading|news|videos?)',
  'related',
  'similar (?:products?|items?|threads?|articles?|posts?|topics)',
  "you (?:may|might) (?:also )?(?:like|love|enjoy|be interested)|you'll also",
  'recommended(?: for you| products| reading| articles| posts| stories)?|recommendations',
  'more (?:like this|from|stories|articles|posts|news|to explore|in this)|explore more',
  '(?:customers|people|shoppers|others|users) (?:who|also)|frequently bought|recently viewed',
  'complete (?:the|your) (?:look|set|outfit)|pairs (?:well|with)|goes well with',
  'trending (?:now|topics|stories|posts|articles)|popular (?:posts|articles|stories|topics|now|searches)',
  'most (?:popular|read|viewed|recent)|(?:latest|recent) (?:posts|articles|blogs?|news|stories|threads|topics|from)',
  "read (?:next|more|also)|up next|what to read next|keep reading|don't miss",
  'join the (?:conversation|discussion)|leave a (?:reply|comment)|your answer|create an account',
  '(?:\\d+ )?comments?(?: \\(\\d+\\))?|(?:customer|user|product) reviews|reviews(?: \\(\\d+\\))?|write a review',
  'share this|follow us|subscribe|newsletter|sign up|stay (?:connected|in touch|up to date)|about the author',
];
const WHOLE = new RegExp(`^(?:${OPENINGS.join('|')})(?:\\s*\\(\\d+\\))?[.:!…»› ]*$`, 'i');
/** These may be followed by a name, a place or a reason. */
const OPEN_ENDED =
  /^(?:you (?:may|might) (?:also )?(?:like|love|enjoy|be interested)|you'll also|customers (?:who|also)|people also|more from (?:the|our|this|us|\p{Lu})|follow us|subscribe (?:to|now|for)|sign up (?:for|to)|join the (?:conversation|discussion)|leave a (?:reply|comment)|frequently bought|related (?:products|articles|posts|stories)|recommended for you|stay (?:connected|in touch|up to date)|about the author|share this|(?:latest|recent) (?:posts|articles|blogs?|stories|from)|most (?:popular|read) (?:in|on|posts|articles|stories)|\d+ (?:comments?|thoughts on|responses to))\b.{0,60}$/iu;

export function isLeadElsewhere(heading: string): boolean {
  return heading.length <= 100 && (WHOLE.test(heading) || OPEN_ENDED.test(heading));
}
