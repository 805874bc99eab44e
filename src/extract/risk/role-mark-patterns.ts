import { anywhere, type RiskPattern, saying } from './risk-pattern.ts';

/** Beginnings of tags that are not HTML. */
export const ROLE_TAG =
  '</?(?:system|instruction|assistant|developer|tool[-_]?(?:call|use)|function[-_]?call|invoke|user[-_]|start_of)';

/** The marks that tell models who is speaking. */
export const ROLE_MARKS: readonly RiskPattern[] = [
  anywhere(
    'inst',
    '<\\|?(?:im_start|im_end|im_sep|system|user|assistant|endoftext|end_of_text|begin_of_text|start_header_id|end_header_id|eot_id|endofprompt|start|channel|message|tool_call)\\|>|\\[/?inst\\]|<</?sys>>|<start_of_turn>',
    { rule: 'role-tags', needs: ['<|', '[inst', '<<sys', '[/inst', '<start_of_turn'] },
  ),
  anywhere(
    [],
    '</?(?:system|system[-_]?(?:prompt|message|instructions?|override)|instructions?|assistant|developer|tool[-_]?(?:call|use)|function[-_]?calls?|invoke|user[-_]query)(?: [^<>]{0,80})?>',
    {
      rule: 'role-tags',
      needs: [
        '<system',
        '</system',
        '<instruction',
        '</instruction',
        '<assistant',
        '<developer',
        '<tool',
        '<function',
        '<invoke',
        '<user',
      ],
    },
  ),
  anywhere(
    [
      '# | 2 instruction system assistant new',
      '[ | 1 system admin developer | 1 message override note prompt instruction notice update directive',
      'system | 1 override directive command instruction',
      'begin beginning begining start starting startning end ending endning | 2 system admin developer | 1 prompt message instruction override',
    ],
    '(?:^|\\n) ?(?:#{2,4} ?(?:instructions?|system|assistant|new instructions?|system (?:prompt|message|override|instructions?|update)) ?:|\\[(?:system|admin|developer) (?:message|override|note|prompt|instructions?|notice|update|directive)\\](?! ?[$#(])|\\W{0,6}system (?:override|directive|command|instructions?)\\)? ?[:\\]]|\\W{0,6}(?:begin|start|end)(?:ning|ing)? (?:of )?(?:system|admin|developer) (?:prompt|message|instructions?|override))',
    {
      rule: 'role-tags',
      needs: [
        '## instruct',
        '## system',
        '## assist',
        '## new instr',
        '##instruct',
        '##system',
        '[system',
        '[admin',
        '[developer',
        'system override',
        'system directive',
        'system command',
        'system instruction',
        'begin system',
        'start system',
        'end system',
        'beginning of system',
        'start of system',
        'end of system',
        'begin admin',
        'begin developer',
      ],
    },
  ),
  saying(
    'system | 1 : | 2 you assistant model ai user ignore disregard override new from always never do',
    'system(?: (?:prompt|message|notice|alert|note|update))?[*_\\]) ]{0,3}: ?\\W{0,3}(?:you|the (?:assistant|model|ai|user)|ignore|disregard|override|new|from now|always|never|do not|assistant)\\b',
    { rule: 'role-tags', strength: 0.7, isFirst: true },
  ),
  anywhere(
    [],
    '(?:={2,8}|-{2,8}|<{2,8}|\\*{2,8}|\\[|#{2,8}) ?(?:end of|end) (?:the )?(?:document|context|user (?:input|content|message)|untrusted (?:input|content)|page|data|web ?page|article|prompt|external content|search results?|tool (?:output|result))s? ?(?:={2,8}|-{2,8}|>{2,8}|\\*{2,8}|\\]|#{2,8})',
    {
      rule: 'role-tags',
      strength: 0.9,
      needs: ['= end', '- end', '< end', '* end', '[end', '# end', '=end', '-end', '<end', '*end', '[ end'],
    },
  ),
  anywhere(
    '[ | 1 system',
    '(?:^|\\n|[.!?:] ?) ?\\[system\\]:? [^\\n]{0,60}?\\b(?:you|must|ignore|disregard|override|assistant|ai|model|instructions?|obey|comply)\\b',
    { rule: 'role-tags', needs: ['[system]'] },
  ),
];
