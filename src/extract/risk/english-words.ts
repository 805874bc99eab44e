/** A gap of up to this many characters of the same sentence. */
export const gap = (most: number): string => `[^.!?]{0,${most}}?`;

export const AN_OVERRIDE =
  'ignore disregard forget override overrule bypass discard dismiss abandon neglect erase drop void cancel supersede unlearn set throw put stop no do don pay take clear delete wipe reset';
export const OVERRIDE =
  "(?:ignore|disregard|forget|override|overrule|bypass|discard|dismiss|abandon|neglect|erase|drop|void|cancel|supersede|unlearn|set aside|throw away|throw out|put aside|stop (?:following|obeying)|no longer follow|do(?: not|n't) (?:follow|obey|adhere to|comply with|listen to)|pay no (?:attention|heed) to|take no notice of|clear|delete|wipe|reset)";

/** Names for programs that read for others. */
export const A_MODEL =
  'ai llm llms large language artificial chatbot chatbots chat chatgpt gpt claude gemini copilot autonomous automated virtual digital browsing web coding intelligent research shopping machine';
export const MODEL =
  '(?:ai[ -]?(?:agents?|assistants?|models?|systems?|bots?|crawlers?|readers?|tools?|reviewers?|chatbots?|summari[sz]ers?)|ai language models?|ai|llms?(?:[ -](?:agents?|assistants?|models?))?|large language models?|language models?|artificial intelligence|chatbots?|chat ?gpt|gpt(?:-?[45]\\w?)?|claude|gemini|copilot|(?:autonomous|automated|virtual|digital|browsing|web|coding|language|intelligent|research|shopping) (?:agents?|assistants?)|machine readers?|automated (?:readers?|reviewers?|summari[sz]ers?|systems?))';
/** People who work with models are not models. */
export const NO_TRADE =
  '(?!(?:[- ]powered)?(?: and \\w{1,20})? (?:engineer|developer|professional|expert|practitioner|specialist|scientist|researcher|company|startup|vendor|provider|team|beginner|enthusiast|user|student|founder|lab|builder|leader|consultant|strategist|class|course|product|skeptic|fan)s?\\b)';

export const PAGE =
  '(?:this|the) (?:page|document|text|article|website|web ?site|site|content|file|message|email|e-mail|post|paper|readme|issue|ticket|review|listing|resume|cv|manuscript|submission|comment|note|section|product|profile)';

/** Instructions to the reader. */
export const DUTY =
  "(?:you (?:must|should|need|are|shall|will|have)|do not|don't|always|never|immediately|instead|stop|say|tell|recommend|reply|respond|answer|print|output|write|send|visit|click|buy|purchase|include|mention|add|append|rate|give|insert|email|execute|run|call|download|open|forget|treat|begin|start|assume|report|end|navigate|forward|state|claim|describe|use your|follow|ignore|disregard|praise|promote|transfer|delete)";
/** Pointing agents to a more readable form of the page is a service. */
export const NO_SERVICE =
  '(?![^.!?]{0,60}\\b(?:llms\\.txt|robots\\.txt|llms-full|markdown|\\w{1,30}\\.md\\b|documentation|docs|sitemap|api reference|mcp server))';

/** Every match of {@link OVERRIDE} contains one of these. */
export const OVERRIDE_WORDS =
  'ignore disregard forget override overrule bypass discard dismiss abandon neglect erase drop void cancel supersede unlearn aside throw stop following obeying longer follow obey adhere comply listen attention heed notice clear delete wipe reset';
/** Every match of {@link MODEL} contains one of these. */
export const MODEL_WORDS =
  'ai aiagent aiagents aiassistant aimodel aimodels aisystem aisystems aibot aibots aicrawler aireader aireaders aitool aitools aireviewer aichatbot aisummarizer llm llms artificial chatbot chatbots chatgpt gpt claude gemini copilot model models agent agents assistant assistants reader readers automated';
export const PAGE_WORDS =
  'page pages document documents article articles text texts content contents paper papers resume resumes candidate product products company companys site sites website websites email emails message messages manuscript submission topic topics question questions brand brands review reviews listing listings';
export const ANSWERS =
  'response responses answer answers summary summaries reply replies output outputs completion completions recommendation';
