import { anywhere, type RiskPattern } from './risk-pattern.ts';

/** The main rules in German, French, Spanish, Portuguese and Italian; the most important ones in other languages with Latin letters. */
export const EUROPEAN_PATTERNS: readonly RiskPattern[] = [
  // German
  anywhere(
    'ignorier ignoriere ignorieren ignoriert vergiss vergesst vergessen missachte verwirf bergehe umgehe setz setze',
    '(?:ignorier(?:e|en sie|t)?|vergiss(?! nicht)|vergesst|vergessen sie(?! nicht)|missachte\\w{0,20}|verwirf|übergehe|umgehe|setze?)\\b[^.!?]{0,40}?\\b(?:vorherig\\w{0,20}|bisherig\\w{0,20}|obig\\w{0,20}|vorangegangen\\w{0,20}|vorig\\w{0,20}|früher\\w{0,20}|ursprünglich\\w{0,20}|deine|ihre|alle|alles|zuvor)\\b[^.!?]{0,30}?(?:anweisung|instruktion|befehl|vorgabe|prompt|richtlinien|(?<!\\balle )regeln|gesagt)|ignorier(?:e|en sie|t)?\\b[^.!?]{0,20}?\\b(?:system-?prompt|system prompt|systemanweisung)',
    {
      rule: 'override-instructions',
      needs: ['anweisung', 'instruktion', 'befehl', 'vorgabe', 'prompt', 'regeln', 'gesagt', 'richtlinien'],
    },
  ),
  anywhere(
    'wenn falls sofern | 1 du sie ihr dies',
    '\\b(?:wenn|falls|sofern) (?:du|sie|ihr|dies)\\b[^.!?]{0,20}?\\b(?:ki(?:-\\w{1,20})?|künstliche intelligenz|sprachmodell|chatbot|ki-assistent\\w{0,20}|ki-agent\\w{0,20}|llm)\\b(?=[^.!?]{0,15}\\b(?:bist|sind|seid|ist|liest|lesen)\\b)',
    { rule: 'addressed-to-models', strength: 0.8, needs: ['ki', 'sprachmodell', 'chatbot', 'assistent'] },
  ),
  anywhere(
    'nicht nichts niemals kein keine keinem keinen keiner keines keinerlei keinesfalls ohne',
    '\\b(?:sage?|verrate?|erzähle?|teile?|informiere?|erwähne?)\\b[^.!?]{0,30}?\\b(?:nutzer|benutzer|anwender)\\w{0,20}\\b[^.!?]{0,40}?\\b(?:nicht|nichts|niemals|kein(?:e|em|en|er|es|erlei|esfalls)?)\\b|\\bohne (?:den|die) (?:be)?nutzer\\w{0,20} (?:zu informieren|davon)',
    { rule: 'secrecy', strength: 0.8, needs: ['nutzer', 'benutzer', 'anwender'] },
  ),
  anywhere(
    'gib zeig zeige nenn nenne verrat verrate drucke wiederhol wiederhole',
    '\\b(?:gib|zeige?|nenne?|verrate?|drucke|wiederhole?)\\b[^.!?]{0,40}?\\b(?:system-?prompt|system prompt|systemanweisung\\w{0,20})',
    { rule: 'prompt-disclosure', needs: ['systemprompt', 'system-prompt', 'systemanweisung', 'system prompt'] },
  ),
  anywhere(
    'sende schick schicke bermittle leite',
    '\\b(?:sende|schicke?|übermittle|leite)\\b[^.!?]{0,50}?\\b(?:gespräch\\w{0,20}|chat\\w{0,20}|unterhaltung|passw\\w{1,20}|zugangsdaten|api-schlüssel|daten des (?:be)?nutzers|geheim\\w{1,20}|verlauf)\\b[^!?]{0,60}?(?:(?<![a-z])https?:|@|\\ban\\b)',
    { rule: 'data-exfiltration', needs: ['sende', 'schick', 'übermittle', 'leite'] },
  ),
  anywhere(
    'du | 1 bist',
    '\\bdu bist (?:jetzt|nun|ab sofort|nicht (?:mehr|länger))\\b[^.!?]{0,50}?\\b(?:assistent|ki|modus|bot|uneingeschränkt|ohne (?:regeln|einschränkung)|modell|gebunden)',
    { rule: 'role-change', strength: 0.9, needs: ['du bist'] },
  ),
  // French
  anywhere(
    'ignore ignorez ignorer oublie oubliez oublier glige gligez gliger abstraction tiens tenez respecte respectez respecter suis suivez | 92c instruction instructions consigne consignes directive directives ordres gles | 72c dent dente dentes dents rieur rieure rieures rieurs dessus re haut syst origine',
    "(?:ignore[zr]?|oublie[zr]?|néglige[zr]?|fais abstraction|faites abstraction|ne (?:tiens|tenez|respecte[zr]?|suis|suivez) (?:pas|plus)(?: compte)?)(?![a-zé])[^.!?]{0,40}?(?<![a-zà-ÿ])(?:instructions?|consignes?|directives?|ordres|règles)[^.!?]{0,30}?(?<![a-zà-ÿ])(?:précédent|antérieur|ci-dessus|reçu|plus haut|système|d'origine)",
    { rule: 'override-instructions', needs: ['instruction', 'consigne', 'directive', 'ordre', 'règles'] },
  ),
  anywhere(
    'si | 1 tu vous',
    '\\bsi (?:tu es|vous êtes|vous etes)\\b[^.!?]{0,25}?(?<![a-zà-ÿ])(?:\\bia\\b|intelligence artificielle|modèle de langage|chatbot|assistant (?:ia|virtuel)|agent ia|\\bllm\\b)',
    { rule: 'addressed-to-models', strength: 0.8, needs: ['ia', 'modèle', 'intelligence', 'chatbot', 'assistant'] },
  ),
  anywhere(
    'utilisateur utilisateurs',
    "\\bne\\b[^.!?]{0,15}?\\b(?:dis|dites|révèle[zr]?|mentionne[zr]?|informe[zr]?|préviens|prévenez|parle[zr]?)\\b[^.!?]{0,20}?\\b(?:pas|rien|jamais)\\b[^.!?]{0,30}?(?<![a-zà-ÿ])utilisateur|\\bsans (?:en )?(?:informer|prévenir|avertir|le dire à) l'utilisateur",
    { rule: 'secrecy', strength: 0.8, needs: ['utilisateur'] },
  ),
  anywhere(
    'prompt message invite instruction instructions | 2 syst initiale initiales cach',
    '\\b(?:affiche[zr]?|révèle[zr]?|montre[zr]?|donne[zr]?|répète[zr]?|répétez)[^.!?]{0,40}?(?<![a-zà-ÿ])(?:(?:prompt|message|invite|instructions?) (?:du )?système|instructions? (?:initiales?|cachées?))',
    { rule: 'prompt-disclosure', needs: ['système', 'instructions'] },
  ),
  anywhere(
    'es tes | 1 maintenant d pr',
    '\\b(?:tu es|vous êtes) (?:maintenant|désormais|à présent)[^.!?]{0,50}?\\b(?:assistant|ia|robot|chatbot|mode|sans (?:restriction|filtre|règle|limite))',
    { rule: 'role-change', strength: 0.9, needs: ['tu es', 'vous êtes'] },
  ),
  // Spanish and Portuguese
  anywhere(
    'ignora ignore ignoran ignoren ignorar olvida olvide olvidan olviden olvidar descarta descarte descartan descarten desestima desestime desatiende esque esquece desconsidere desconsidera caso sigas | 96c instrucciones instru indicaciones rdenes directrices reglas diretrizes ordens comandos',
    '(?:ignor[ae]n?|ignorar|olvid[ae]n?|olvidar|descart[ae]n?|desestim[ae]|desatiende|ignore|esqueça|esquece|desconsidere|desconsidera|haz caso omiso de|haga caso omiso de|no sigas)\\b[^.!?]{0,40}?(?<![a-zà-ÿ])(?:instrucciones|instruções|indicaciones|órdenes|directrices|reglas|diretrizes|ordens|comandos)[^.!?]{0,30}?(?<![a-zà-ÿ])(?:anterior|previ|precedent|de arriba|acima|recibid|originales|iniciales|que te)',
    {
      rule: 'override-instructions',
      needs: ['instru', 'indicaciones', 'órdenes', 'directrices', 'diretrizes', 'reglas', 'orden', 'comandos'],
    },
  ),
  anywhere(
    'si se | 1 eres usted voc s',
    '\\b(?:si eres|si usted es|se você é|se você for|se és)\\b[^.!?]{0,20}?(?<![a-zà-ÿ])(?:\\bia\\b|inteligencia artificial|inteligência artificial|modelo de (?:lenguaje|linguagem)|chatbot|asistente (?:de ia|virtual)|agente de ia|\\bllm\\b)',
    {
      rule: 'addressed-to-models',
      strength: 0.8,
      needs: ['ia', 'inteligencia', 'inteligência', 'modelo', 'chatbot', 'asistente'],
    },
  ),
  anywhere(
    'usuario usuarios usu',
    '\\b(?:no|não|nunca|sin|sem)\\b[^.!?]{0,15}?\\b(?:digas|diga|cuentes|reveles|revele|menciones|mencione|informes|informe|avises|conte|decir|informar|avisar|decírselo)\\b[^.!?]{0,30}?(?<![a-zà-ÿ])(?:usuario|usuário)',
    { rule: 'secrecy', strength: 0.8, needs: ['usuario', 'usuário'] },
  ),
  anywhere(
    'sistema',
    '\\b(?:muestra|revela|imprime|repite|mostre|revele|imprima|dime|escribe)\\b[^.!?]{0,40}?(?<![a-zà-ÿ])(?:(?:prompt|mensaje|mensagem|instrucciones|instruções) (?:de|del|do) sistema)',
    { rule: 'prompt-disclosure', needs: ['sistema'] },
  ),
  anywhere(
    'env envia envie manda mande reenv reenvia | 76c conversa contrase senha credencial credencia credenciales credenciais clave claves chave chaves historial hist datos dados correos',
    '(?:envía|envia|envie|manda|mande|reenvía|reenvia)[^.!?]{0,50}?(?<![a-zà-ÿ])(?:conversación|conversa|contraseña|senha|credencia|clave|chave|historial|histórico|datos del usuario|dados do usuário|correos)[^!?]{0,60}?(?:(?<![a-z])https?:|@|\\ba\\b|\\bpara\\b)',
    { rule: 'data-exfiltration', needs: ['envía', 'envia', 'envie', 'manda', 'reenvía', 'reenvia'] },
  ),
  anywhere(
    ['ahora | 1 eres', 'partir | 3 eres ser debes voc', 'agora | 1 voc'],
    '\\b(?:ahora eres|a partir de ahora (?:eres|serás|debes)|agora você é|a partir de agora você)\\b',
    { rule: 'role-change', strength: 0.9, needs: ['eres', 'você é'] },
  ),
  // Italian
  anywhere(
    'ignora ignorate dimentica dimenticate tralascia seguire | 92c istruzioni direttive ordini regole comandi',
    '(?:ignora|ignorate|dimentica|dimenticate|tralascia|non seguire)\\b[^.!?]{0,40}?(?<![a-zà-ÿ])(?:istruzioni|direttive|ordini|regole|comandi)[^.!?]{0,30}?(?<![a-zà-ÿ])(?:precedent|sopra|ricevut|inizial|original)',
    { rule: 'override-instructions', needs: ['istruzioni', 'direttive', 'ordini', 'regole'] },
  ),
  // Dutch, Polish, Turkish, Indonesian
  anywhere(
    'negeer vergeet | 70c instructies opdrachten aanwijzingen regels prompt',
    '(?:negeer|vergeet)\\b[^.!?]{0,30}?\\b(?:vorige|voorgaande|eerdere|bovenstaande|alle|alles|je|jouw|uw)\\b[^.!?]{0,25}?\\b(?:instructies|opdrachten|aanwijzingen|regels|prompt)\\b',
    { rule: 'override-instructions', needs: ['negeer', 'vergeet'] },
  ),
  anywhere(
    'zignoruj ignoruj zapomnij pomi',
    '(?:z?ignoruj|zapomnij|pomiń)[^.!?]{0,30}?(?<![a-zà-ÿ])(?:poprzedni|wcześniejsz|powyższ|wszystki|swoj)[^.!?]{0,30}?(?<![a-zà-ÿ])(?:instrukcj|polece|wytyczn|zasad|prompt)',
    { rule: 'override-instructions', needs: ['ignoruj', 'zapomnij', 'pomiń'] },
  ),
  anywhere(
    'yok rmezden unut unutun dikkate',
    '(?:önceki|yukarıdaki|tüm|bütün)[^.!?]{0,25}?(?<![a-zà-ÿ])(?:talimat|komut|yönerge|kural)[^.!?]{0,20}?(?<![a-zà-ÿ])(?:yok say|görmezden gel|unut|dikkate alma)',
    { rule: 'override-instructions', needs: ['talimat', 'komut', 'yönerge', 'kural'] },
  ),
  anywhere(
    'abaikan lupakan',
    '(?:abaikan|lupakan)[^.!?]{0,20}?(?<![a-zà-ÿ])(?:semua|seluruh|instruksi|perintah|arahan)[^.!?]{0,25}?(?<![a-zà-ÿ])(?:sebelumnya|di atas|instruksi|perintah)',
    { rule: 'override-instructions', needs: ['abaikan', 'lupakan'] },
  ),
];
