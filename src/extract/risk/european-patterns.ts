import { onlyWhere, type RiskPattern, within } from './risk-pattern.ts';
import type { RiskRule } from './risk-rules.ts';
import { chain } from './word-chains.ts';

const pattern = (rule: RiskRule, needs: readonly string[], form: string, strength = 1): RiskPattern =>
  within(needs, rule, strength, form);

/** The core of the rules in German, French, Spanish, Portuguese and Italian; the heart of it in others with Latin letters. */
export const EUROPEAN_PATTERNS: readonly RiskPattern[] = [
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
      '(?:ignorier(?:e|en sie|t)?|vergiss(?! nicht)|vergesst|vergessen sie(?! nicht)|missachte\\w{0,20}|verwirf|übergehe|umgehe|setze?)\\b[^.!?]{0,40}?\\b(?:vorherig\\w{0,20}|bisherig\\w{0,20}|obig\\w{0,20}|vorangegangen\\w{0,20}|vorig\\w{0,20}|früher\\w{0,20}|ursprünglich\\w{0,20}|deine|ihre|alle|alles|zuvor)\\b[^.!?]{0,30}?(?:anweisung|instruktion|befehl|vorgabe|prompt|richtlinien|(?<!\\balle )regeln|gesagt)|ignorier(?:e|en sie|t)?\\b[^.!?]{0,20}?\\b(?:system-?prompt|system prompt|systemanweisung)',
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
      '\\b(?:sage?|verrate?|erzähle?|teile?|informiere?|erwähne?)\\b[^.!?]{0,30}?\\b(?:nutzer|benutzer|anwender)\\w{0,20}\\b[^.!?]{0,40}?\\b(?:nicht|nichts|niemals|kein(?:e|em|en|er|es|erlei|esfalls)?)\\b|\\bohne (?:den|die) (?:be)?nutzer\\w{0,20} (?:zu informieren|davon)',
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
      '\\b(?:sende|schicke?|übermittle|leite)\\b[^.!?]{0,50}?\\b(?:gespräch\\w{0,20}|chat\\w{0,20}|unterhaltung|passw\\w{1,20}|zugangsdaten|api-schlüssel|daten des (?:be)?nutzers|geheim\\w{1,20}|verlauf)\\b[^!?]{0,60}?(?:(?<![a-z])https?:|@|\\ban\\b)',
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
        ['72', 'dent dente dentes dents rieur rieure rieures rieurs dessus re haut syst origine'],
      ),
    ],
    pattern(
      'override-instructions',
      ['instruction', 'consigne', 'directive', 'ordre', 'règles'],
      "(?:ignore[zr]?|oublie[zr]?|néglige[zr]?|fais abstraction|faites abstraction|ne (?:tiens|tenez|respecte[zr]?|suis|suivez) (?:pas|plus)(?: compte)?)(?![a-zé])[^.!?]{0,40}?(?<![a-zà-ÿ])(?:instructions?|consignes?|directives?|ordres|règles)[^.!?]{0,30}?(?<![a-zà-ÿ])(?:précédent|antérieur|ci-dessus|reçu|plus haut|système|d'origine)",
    ),
  ),
  onlyWhere(
    [chain('si', [1, 'tu vous'])],
    pattern(
      'addressed-to-models',
      ['ia', 'modèle', 'intelligence', 'chatbot', 'assistant'],
      '\\bsi (?:tu es|vous êtes|vous etes)\\b[^.!?]{0,25}?(?<![a-zà-ÿ])(?:\\bia\\b|intelligence artificielle|modèle de langage|chatbot|assistant (?:ia|virtuel)|agent ia|\\bllm\\b)',
      0.8,
    ),
  ),
  onlyWhere(
    [chain('utilisateur utilisateurs')],
    pattern(
      'secrecy',
      ['utilisateur'],
      "\\bne\\b[^.!?]{0,15}?\\b(?:dis|dites|révèle[zr]?|mentionne[zr]?|informe[zr]?|préviens|prévenez|parle[zr]?)\\b[^.!?]{0,20}?\\b(?:pas|rien|jamais)\\b[^.!?]{0,30}?(?<![a-zà-ÿ])utilisateur|\\bsans (?:en )?(?:informer|prévenir|avertir|le dire à) l'utilisateur",
      0.8,
    ),
  ),
  onlyWhere(
    [chain('prompt message invite instruction instructions', [2, 'syst initiale initiales cach'])],
    pattern(
      'prompt-disclosure',
      ['système', 'instructions'],
      '\\b(?:affiche[zr]?|révèle[zr]?|montre[zr]?|donne[zr]?|répète[zr]?|répétez)[^.!?]{0,40}?(?<![a-zà-ÿ])(?:(?:prompt|message|invite|instructions?) (?:du )?système|instructions? (?:initiales?|cachées?))',
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
      ['instru', 'indicaciones', 'órdenes', 'directrices', 'diretrizes', 'reglas', 'orden', 'comandos'],
      '(?:ignor[ae]n?|ignorar|olvid[ae]n?|olvidar|descart[ae]n?|desestim[ae]|desatiende|ignore|esqueça|esquece|desconsidere|desconsidera|haz caso omiso de|haga caso omiso de|no sigas)\\b[^.!?]{0,40}?(?<![a-zà-ÿ])(?:instrucciones|instruções|indicaciones|órdenes|directrices|reglas|diretrizes|ordens|comandos)[^.!?]{0,30}?(?<![a-zà-ÿ])(?:anterior|previ|precedent|de arriba|acima|recibid|originales|iniciales|que te)',
    ),
  ),
  onlyWhere(
    [chain('si se', [1, 'eres usted voc s'])],
    pattern(
      'addressed-to-models',
      ['ia', 'inteligencia', 'inteligência', 'modelo', 'chatbot', 'asistente'],
      '\\b(?:si eres|si usted es|se você é|se você for|se és)\\b[^.!?]{0,20}?(?<![a-zà-ÿ])(?:\\bia\\b|inteligencia artificial|inteligência artificial|modelo de (?:lenguaje|linguagem)|chatbot|asistente (?:de ia|virtual)|agente de ia|\\bllm\\b)',
      0.8,
    ),
  ),
  onlyWhere(
    [chain('usuario usuarios usu')],
    pattern(
      'secrecy',
      ['usuario', 'usuário'],
      '\\b(?:no|não|nunca|sin|sem)\\b[^.!?]{0,15}?\\b(?:digas|diga|cuentes|reveles|revele|menciones|mencione|informes|informe|avises|conte|decir|informar|avisar|decírselo)\\b[^.!?]{0,30}?(?<![a-zà-ÿ])(?:usuario|usuário)',
      0.8,
    ),
  ),
  onlyWhere(
    [chain('sistema')],
    pattern(
      'prompt-disclosure',
      ['sistema'],
      '\\b(?:muestra|revela|imprime|repite|mostre|revele|imprima|dime|escribe)\\b[^.!?]{0,40}?(?<![a-zà-ÿ])(?:(?:prompt|mensaje|mensagem|instrucciones|instruções) (?:de|del|do) sistema)',
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
      '(?:envía|envia|envie|manda|mande|reenvía|reenvia)[^.!?]{0,50}?(?<![a-zà-ÿ])(?:conversación|conversa|contraseña|senha|credencia|clave|chave|historial|histórico|datos del usuario|dados do usuário|correos)[^!?]{0,60}?(?:(?<![a-z])https?:|@|\\ba\\b|\\bpara\\b)',
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
      '(?:ignora|ignorate|dimentica|dimenticate|tralascia|non seguire)\\b[^.!?]{0,40}?(?<![a-zà-ÿ])(?:istruzioni|direttive|ordini|regole|comandi)[^.!?]{0,30}?(?<![a-zà-ÿ])(?:precedent|sopra|ricevut|inizial|original)',
    ),
  ),
  // Dutch, Polish, Turkish, Indonesian
  onlyWhere(
    [chain('negeer vergeet', ['70', 'instructies opdrachten aanwijzingen regels prompt'])],
    pattern(
      'override-instructions',
      ['negeer', 'vergeet'],
      '(?:negeer|vergeet)\\b[^.!?]{0,30}?\\b(?:vorige|voorgaande|eerdere|bovenstaande|alle|alles|je|jouw|uw)\\b[^.!?]{0,25}?\\b(?:instructies|opdrachten|aanwijzingen|regels|prompt)\\b',
    ),
  ),
  onlyWhere(
    [chain('zignoruj ignoruj zapomnij pomi')],
    pattern(
      'override-instructions',
      ['ignoruj', 'zapomnij', 'pomiń'],
      '(?:z?ignoruj|zapomnij|pomiń)[^.!?]{0,30}?(?<![a-zà-ÿ])(?:poprzedni|wcześniejsz|powyższ|wszystki|swoj)[^.!?]{0,30}?(?<![a-zà-ÿ])(?:instrukcj|polece|wytyczn|zasad|prompt)',
    ),
  ),
  onlyWhere(
    [chain('yok rmezden unut unutun dikkate')],
    pattern(
      'override-instructions',
      ['talimat', 'komut', 'yönerge', 'kural'],
      '(?:önceki|yukarıdaki|tüm|bütün)[^.!?]{0,25}?(?<![a-zà-ÿ])(?:talimat|komut|yönerge|kural)[^.!?]{0,20}?(?<![a-zà-ÿ])(?:yok say|görmezden gel|unut|dikkate alma)',
    ),
  ),
  onlyWhere(
    [chain('abaikan lupakan')],
    pattern(
      'override-instructions',
      ['abaikan', 'lupakan'],
      '(?:abaikan|lupakan)[^.!?]{0,20}?(?<![a-zà-ÿ])(?:semua|seluruh|instruksi|perintah|arahan)[^.!?]{0,25}?(?<![a-zà-ÿ])(?:sebelumnya|di atas|instruksi|perintah)',
    ),
  ),
];
