import { onlyWhere, type RiskPattern, within } from './risk-pattern.ts';
import type { RiskRule } from './risk-rules.ts';
import { chain } from './word-chains.ts';

const pattern = (rule: RiskRule, needs: readonly string[], form: string, strength = 1): RiskPattern =>
  within(needs, rule, strength, form);

/** The core of the rules in German, French, Spanish, Portuguese, Italian, Russian, Chinese, Japanese and Korean. */
export const OTHER_PATTERNS: readonly RiskPattern[] = [
  // German
  onlyWhere(
    [
      chain(
        'ignorier ignoriere ignorieren ignoriert vergiss vergesst vergessen missachte verwirf bergehe umgehe setz setze',
      ),
    ],
    pattern(
      'override-instructions',
      ['anweisung', 'instruktion', 'befehl', 'vorgabe', 'prompt', 'regeln', 'gesagt', 'richtlinien'],
      '(?:ignorier(?:e|en sie|t)?|vergiss(?! nicht)|vergesst|vergessen sie(?! nicht)|missachte\\w{0,20}|verwirf|übergehe|umgehe|setze?)\\b[^.!?]{0,40}?\\b(?:vorherig\\w{0,20}|bisherig\\w{0,20}|obig\\w{0,20}|vorangegangen\\w{0,20}|vorig\\w{0,20}|früher\\w{0,20}|ursprünglich\\w{0,20}|deine|ihre|alle|alles|zuvor)\\b[^.!?]{0,30}?(?:anweisung|instruktion|befehl|vorgabe|prompt|regeln|gesagt|richtlinien)',
    ),
  ),
  onlyWhere(
    [chain('wenn falls sofern', [1, 'du sie ihr dies'])],
    pattern(
      'addressed-to-models',
      ['ki', 'sprachmodell', 'chatbot', 'assistent'],
      '\\b(?:wenn|falls|sofern) (?:du|sie|ihr|dies)\\b[^.!?]{0,20}?\\b(?:ki(?:-\\w{1,20})?|künstliche intelligenz|sprachmodell|chatbot|ki-assistent\\w{0,20}|ki-agent\\w{0,20}|llm)\\b(?=[^.!?]{0,15}\\b(?:bist|sind|seid|ist|liest|lesen)\\b)',
      0.8,
    ),
  ),
  onlyWhere(
    [chain('nicht nichts niemals kein keine keinem keinen keiner keines keinerlei keinesfalls ohne')],
    pattern(
      'secrecy',
      ['nutzer', 'benutzer', 'anwender'],
      '\\b(?:sage?|verrate?|erzähle?|teile?|informiere?|erwähne?)\\b[^.!?]{0,30}?\\b(?:nutzer|benutzer|anwender)\\w{0,20}\\b[^.!?]{0,40}?\\b(?:nicht|nichts|niemals|kein\\w{0,20})\\b|\\bohne (?:den|die) (?:be)?nutzer\\w{0,20} (?:zu informieren|davon)',
      0.8,
    ),
  ),
  onlyWhere(
    [chain('gib zeig zeige nenn nenne verrat verrate drucke wiederhol wiederhole')],
    pattern(
      'prompt-disclosure',
      ['systemprompt', 'system-prompt', 'systemanweisung', 'system prompt'],
      '\\b(?:gib|zeige?|nenne?|verrate?|drucke|wiederhole?)\\b[^.!?]{0,40}?\\b(?:system-?prompt|system prompt|systemanweisung\\w{0,20})',
    ),
  ),
  onlyWhere(
    [chain('sende schick schicke bermittle leite')],
    pattern(
      'data-exfiltration',
      ['sende', 'schick', 'übermittle', 'leite'],
      '\\b(?:sende|schicke?|übermittle|leite)\\b[^.!?]{0,50}?\\b(?:gespräch\\w{0,20}|chat\\w{0,20}|unterhaltung|passw\\w{1,20}|zugangsdaten|api-schlüssel|daten des (?:be)?nutzers|geheim\\w{1,20}|verlauf)\\b[^!?]{0,60}?(?:https?:|@|\\ban\\b)',
    ),
  ),
  onlyWhere(
    [chain('du', [1, 'bist'])],
    pattern(
      'role-change',
      ['du bist'],
      '\\bdu bist (?:jetzt|nun|ab sofort|nicht (?:mehr|länger))\\b[^.!?]{0,50}?\\b(?:assistent|ki|modus|bot|uneingeschränkt|ohne (?:regeln|einschränkung)|modell|gebunden)',
      0.9,
    ),
  ),
  // French
  onlyWhere(
    [
      chain(
        'ignore ignorez ignorer oublie oubliez oublier glige gligez gliger abstraction tiens tenez respecte respectez respecter suis suivez',
        ['92', 'instruction instructions consigne consignes directive directives ordres gles'],
        [
          '72',
          'dent dente dentes dents rieur rieure rieures rieurs dessus re haut initial initiale initiales initiaux donn origine',
        ],
      ),
    ],
    pattern(
      'override-instructions',
      ['instruction', 'consigne', 'directive', 'ordre', 'règles'],
      "(?:ignore[zr]?|oublie[zr]?|néglige[zr]?|fais abstraction|faites abstraction|ne (?:tiens|tenez|respecte[zr]?|suis|suivez) (?:pas|plus)(?: compte)?)(?![a-zé])[^.!?]{0,40}?(?:instructions?|consignes?|directives?|ordres|règles)[^.!?]{0,30}?(?:précédent|antérieur|ci-dessus|reçu|plus haut|initial|donné|d'origine)",
    ),
  ),
  onlyWhere(
    [chain('si', [1, 'tu vous'])],
    pattern(
      'addressed-to-models',
      ['ia', 'modèle', 'intelligence', 'chatbot', 'assistant'],
      '\\bsi (?:tu es|vous êtes|vous etes)\\b[^.!?]{0,25}?(?:\\bia\\b|intelligence artificielle|modèle de langage|chatbot|assistant (?:ia|virtuel)|agent ia|\\bllm\\b)',
      0.8,
    ),
  ),
  onlyWhere(
    [chain('utilisateur utilisateurs')],
    pattern(
      'secrecy',
      ['utilisateur'],
      "\\bne\\b[^.!?]{0,15}?\\b(?:dis|dites|révèle[zr]?|mentionne[zr]?|informe[zr]?|préviens|prévenez|parle[zr]?)\\b[^.!?]{0,20}?\\b(?:pas|rien|jamais)\\b[^.!?]{0,30}?utilisateur|\\bsans (?:en )?(?:informer|prévenir|avertir|le dire à) l'utilisateur",
      0.8,
    ),
  ),
  onlyWhere(
    [chain('prompt message invite instruction instructions', [2, 'syst initiale initiales cach'])],
    pattern(
      'prompt-disclosure',
      ['système', 'instructions'],
      '\\b(?:affiche[zr]?|révèle[zr]?|montre[zr]?|donne[zr]?|répète[zr]?|répétez)[^.!?]{0,40}?(?:(?:prompt|message|invite|instructions?) (?:du )?système|instructions? (?:initiales?|cachées?))',
    ),
  ),
  onlyWhere(
    [chain('es tes', [1, 'maintenant d pr'])],
    pattern(
      'role-change',
      ['tu es', 'vous êtes'],
      '\\b(?:tu es|vous êtes) (?:maintenant|désormais|à présent)[^.!?]{0,50}?\\b(?:assistant|ia|robot|chatbot|mode|sans (?:restriction|filtre|règle|limite))',
      0.9,
    ),
  ),
  // Spanish and Portuguese
  onlyWhere(
    [
      chain(
        'ignora ignore ignoran ignoren ignorar olvida olvide olvidan olviden olvidar descarta descarte descartan descarten desestima desestime desatiende esque esquece desconsidere desconsidera caso sigas',
        ['96', 'instrucciones instru indicaciones rdenes directrices reglas diretrizes ordens comandos'],
      ),
    ],
    pattern(
      'override-instructions',
      ['instruc', 'indicaciones', 'órdenes', 'directrices', 'reglas', 'orden'],
      '(?:ignor[ae]n?|ignorar|olvid[ae]n?|olvidar|descart[ae]n?|desestim[ae]|desatiende|ignore|esqueça|esquece|desconsidere|desconsidera|haz caso omiso de|haga caso omiso de|no sigas)\\b[^.!?]{0,40}?(?:instrucciones|instruções|indicaciones|órdenes|directrices|reglas|diretrizes|ordens|comandos)[^.!?]{0,30}?(?:anterior|previ|precedent|de arriba|acima|recibid|originales|iniciales|que te)',
    ),
  ),
  onlyWhere(
    [chain('si se', [1, 'eres usted voc s'])],
    pattern(
      'addressed-to-models',
      ['ia', 'inteligencia', 'inteligência', 'modelo', 'chatbot', 'asistente'],
      '\\b(?:si eres|si usted es|se você é|se você for|se és)\\b[^.!?]{0,20}?(?:\\bia\\b|inteligencia artificial|inteligência artificial|modelo de (?:lenguaje|linguagem)|chatbot|asistente (?:de ia|virtual)|agente de ia|\\bllm\\b)',
      0.8,
    ),
  ),
  onlyWhere(
    [chain('usuario usuarios usu')],
    pattern(
      'secrecy',
      ['usuario', 'usuário'],
      '\\b(?:no|não|nunca|sin|sem)\\b[^.!?]{0,15}?\\b(?:digas|diga|cuentes|reveles|revele|menciones|mencione|informes|informe|avises|conte|decir|informar|avisar|decírselo)\\b[^.!?]{0,30}?(?:usuario|usuário)',
      0.8,
    ),
  ),
  onlyWhere(
    [chain('sistema')],
    pattern(
      'prompt-disclosure',
      ['sistema'],
      '\\b(?:muestra|revela|imprime|repite|mostre|revele|imprima|dime|escribe)\\b[^.!?]{0,40}?(?:(?:prompt|mensaje|mensagem|instrucciones|instruções) (?:de|del|do) sistema)',
    ),
  ),
  onlyWhere(
    [
      chain('env envia envie manda mande reenv reenvia', [
        '76',
        'conversa contrase senha credencial credencia credenciales credenciais clave claves chave chaves historial hist datos dados correos',
      ]),
    ],
    pattern(
      'data-exfiltration',
      ['envía', 'envia', 'envie', 'manda', 'reenvía', 'reenvia'],
      '(?:envía|envia|envie|manda|mande|reenvía|reenvia)[^.!?]{0,50}?(?:conversación|conversa|contraseña|senha|credencia|clave|chave|historial|histórico|datos del usuario|dados do usuário|correos)[^!?]{0,60}?(?:https?:|@|\\ba\\b|\\bpara\\b)',
    ),
  ),
  onlyWhere(
    [chain('ahora', [1, 'eres']), chain('partir', [3, 'eres ser debes voc']), chain('agora', [1, 'voc'])],
    pattern(
      'role-change',
      ['eres', 'você é'],
      '\\b(?:ahora eres|a partir de ahora (?:eres|serás|debes)|agora você é|a partir de agora você)\\b',
      0.9,
    ),
  ),
  // Italian
  onlyWhere(
    [
      chain('ignora ignorate dimentica dimenticate tralascia seguire', [
        '92',
        'istruzioni direttive ordini regole comandi',
      ]),
    ],
    pattern(
      'override-instructions',
      ['istruzioni', 'direttive', 'ordini', 'regole'],
      '(?:ignora|ignorate|dimentica|dimenticate|tralascia|non seguire)\\b[^.!?]{0,40}?(?:istruzioni|direttive|ordini|regole|comandi)[^.!?]{0,30}?(?:precedent|sopra|ricevut|inizial|original)',
    ),
  ),
  // Russian
  pattern(
    'override-instructions',
    ['инструкц', 'указани', 'команд', 'правил', 'промпт', 'сказан', 'распоряжени'],
    '(?:(?:про)?игнорируй(?:те)?|забудь(?:те)?|отбрось(?:те)?|отмени(?:те)?|не обращай(?:те)? внимания на|пренебреги(?:те)?|не следуй(?:те)?)[^.!?]{0,40}?(?:предыдущ|прежн|вышеуказанн|вышестоящ|все|всё|ранее|свои|систем|прошл)[^.!?]{0,30}?(?:инструкц|указани|команд|правил|промпт|сказан|распоряжени)',
  ),
  pattern(
    'addressed-to-models',
    ['ии', 'интеллект', 'модель', 'бот', 'ассистент', 'нейросет'],
    '(?:если|раз) (?:ты|вы)[^.!?]{0,25}?(?:ии(?![а-яё])|искусственный интеллект|языковая модель|чат-?бот|ии-ассистент|нейросеть|ассистент|llm)',
    0.8,
  ),
  pattern(
    'secrecy',
    ['пользовател'],
    '(?:не|ничего не) (?:говори|сообщай|рассказывай|упоминай|раскрывай|показывай)(?:те)?[^.!?]{0,30}?пользовател|(?:не уведомляя|не сообщая|без ведома) пользовател',
    0.8,
  ),
  pattern(
    'prompt-disclosure',
    ['систем'],
    '(?:покажи|выведи|раскрой|повтори|напечатай)(?:те)?[^.!?]{0,40}?систем\\S{1,6} (?:промпт|инструкц|сообщени|подсказк)',
  ),
  pattern(
    'data-exfiltration',
    ['отправь', 'перешли', 'передай', 'пришли', 'вышли'],
    '(?:отправь|перешли|передай|пришли|вышли)(?:те)?[^.!?]{0,50}?(?:переписк|разговор|парол|ключ|учётн|учетн|данные пользовател|истори|секрет)[^!?]{0,60}?(?:https?:|@|(?<![а-яё])(?:на|по) )',
  ),
  pattern(
    'role-change',
    ['теперь', 'отныне'],
    '(?:теперь ты|отныне ты|ты теперь)(?![а-яё])[^.!?]{0,40}?(?:ассистент|бот|ии(?![а-яё])|модель|режим|без (?:огранич|правил|фильтр)|не связан)',
    0.9,
  ),
  // Chinese
  pattern(
    'override-instructions',
    ['指令', '指示', '提示', '命令', '规则', '規則', '说明', '要求'],
    '(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|不要遵守|不要遵循|抛弃|丢弃|撤销|覆盖|跳过)[^。！？]{0,15}?(?:之前|以前|以上|上述|上面|先前|此前|前面|前述|所有|一切|你的|原有|系统)[^。！？]{0,12}?(?:指令|指示|提示词?|命令|规则|規則|说明|要求|内容)',
  ),
  pattern(
    'addressed-to-models',
    ['ai', '人工智能', '语言模型', '語言模型', '助手', '机器人', '智能体', '大模型'],
    '(?:如果|若|假如|要是|作为|作為)(?:你|您|本)?[^。！？]{0,6}?(?:ai|人工智能|人工智慧|(?:大)?(?:语言|語言)模型|智能助手|聊天机器人|智能体|大模型)[^。！？]{0,30}?(?:请|必须|应|要|不要|需要|，)',
    0.8,
  ),
  pattern(
    'secrecy',
    ['用户', '用戶', '使用者'],
    '(?:不要|别|切勿|请勿|不得|禁止|无需|不必)(?:把[^。]{0,12})?(?:告诉|告知|通知|提醒|透露|让|向)[^。！？]{0,6}?(?:用户|用戶|使用者)',
    0.8,
  ),
  pattern(
    'prompt-disclosure',
    ['系统提示', '系統提示', '提示词', '初始指令'],
    '(?:输出|显示|告诉我|泄露|打印|重复|展示|给出|复述|说出)[^。！？]{0,15}?(?:系统提示|系統提示|初始指令|系统指令|提示词)',
  ),
  pattern(
    'data-exfiltration',
    ['发送', '發送', '传送', '上传', '提交', '发到', '转发'],
    '(?:把|将|將|请)?[^。！？]{0,30}?(?:对话|聊天记录|密码|密钥|凭据|凭证|用户(?:的)?(?:数据|信息|隐私)|机密|会话)[^。！？]{0,15}?(?:发送|發送|传送|上传|提交|发到|转发)[^。！？]{0,10}?(?:到|至|给|https?)|(?:发送|上传|转发)[^。！？]{0,20}?(?:对话|聊天记录|密码|密钥|凭据)[^。！？]{0,10}?(?:到|至|给|https?)',
  ),
  pattern(
    'role-change',
    ['你现在', '从现在', '你現在', '從現在'],
    '(?:你现在是|你現在是|从现在(?:开始|起)[，,]?你|從現在(?:開始|起)[，,]?你)',
    0.9,
  ),
  pattern(
    'steered-answer',
    ['推荐', '好评', '评价', '回答', '回复'],
    '(?:必须|请|一定要|总是|始终|只能)[^。！？]{0,12}?(?:推荐|给出好评|正面评价|回答|回复)[^。！？]{0,30}?(?:最好|最佳|第一|好评|首选|满分|本产品|我们的|“|「)',
    0.9,
  ),
  // Japanese
  pattern(
    'override-instructions',
    ['指示', '命令', 'プロンプト', '指令', 'ルール', '内容'],
    '(?:以前|これまで|上記|前述|先ほど|今まで|すべて|全て|従来|元|前)(?:の|まで|に|与え)[^。！？]{0,20}?(?:指示|命令|プロンプト|指令|ルール|内容)[^。！？]{0,10}?(?:無視|忘れ|従わな|破棄|無効|取り消)',
  ),
  pattern(
    'addressed-to-models',
    ['ai', '人工知能', '言語モデル', 'アシスタント', 'ボット'],
    '(?:あなたが|もし|貴方が|これを読んでいる)[^。！？]{0,15}?(?:ai|人工知能|言語モデル|アシスタント|チャットボット)[^。！？]{0,12}?(?:なら|であれば|の場合|は|、)',
    0.8,
  ),
  pattern(
    'secrecy',
    ['ユーザー', '利用者', '使用者'],
    '(?:ユーザー|利用者|使用者)(?:に|には|へ)[^。！？]{0,15}?(?:言わ|伝え|知らせ|教え|明かさ|話さ|通知し|報告し|触れ|見せ)(?:ない|ず|ては)',
    0.8,
  ),
  pattern(
    'prompt-disclosure',
    ['プロンプト'],
    'システムプロンプト[^。！？]{0,15}?(?:表示|出力|公開|教え|開示|見せ|明か)',
  ),
  pattern(
    'data-exfiltration',
    ['送信', '送っ', '転送'],
    '(?:会話|チャット|パスワード|api ?キー|認証情報|個人情報|履歴|機密)[^。！？]{0,30}?(?:送信|送っ|転送)',
  ),
  pattern('role-change', ['これから', '今から', '今後'], '(?:これから|今から|今後)[^。！？]{0,6}?あなたは', 0.9),
  // Korean
  pattern(
    'override-instructions',
    ['지시', '명령', '지침', '프롬프트'],
    '(?:이전|위|앞|기존|모든|지금까지)[^.!?]{0,15}?(?:지시|명령|지침|프롬프트|규칙)[^.!?]{0,12}?(?:무시|잊|따르지)',
  ),
  pattern('secrecy', ['사용자'], '사용자(?:에게|한테)[^.!?]{0,20}?(?:말하지|알리지|언급하지|공개하지)', 0.8),
];
