import { expect, test } from 'vitest';
import { clause } from '../../../test/clause.ts';
import { detectLanguage } from './detect-language.ts';
import { readPageDocument } from './read-page.ts';

const TEXTS: Readonly<Record<string, string>> = {
  de: 'Jedes Konto hat Grenzen, und jede Grenze kann angehoben werden. Sie dürfen sechshundert Anfragen in der Minute senden; die Antwort auf die nächste ist ein Fehler, bis die Minute vorbei ist.',
  fr: 'Chaque compte a des limites, et chaque limite peut être relevée. Vous pouvez envoyer six cents requêtes par minute ; la réponse à la suivante est une erreur jusqu’à la fin de la minute.',
  es: 'Cada cuenta tiene límites, y cada límite se puede ampliar. Puede enviar seiscientas solicitudes por minuto; la respuesta a la siguiente es un error hasta que termine el minuto.',
  en: 'Every account has limits, and every limit can be raised. You may send six hundred requests per minute; the answer to the next one is an error until the minute is over.',
  pl: 'Każde konto ma limity, a każdy limit można podnieść. Możesz wysłać sześćset żądań na minutę; odpowiedzią na następne jest błąd, dopóki minuta się nie skończy i nie zacznie nowa.',
  ru: 'У каждой учётной записи есть ограничения, и каждое ограничение можно повысить. Вы можете отправлять шестьсот запросов в минуту; ответом на следующий будет ошибка, пока минута не закончится.',
  zh: '每个账户都有限制，每项限制都可以提高。您每分钟可以发送六百个请求；在这一分钟结束之前，对下一个请求的答复是错误。请等待服务器所说的时间，然后再试一次。',
  ja: 'すべてのアカウントには制限があり、すべての制限は引き上げることができます。毎分六百件のリクエストを送信できます。次のリクエストへの応答は、その分が終わるまでエラーになります。',
  ar: 'لكل حساب حدود، ويمكن رفع كل حد. يمكنك إرسال ستمائة طلب في الدقيقة؛ والرد على الطلب التالي هو خطأ حتى تنتهي الدقيقة. انتظر المدة التي يحددها الخادم ثم حاول مرة أخرى بعد ذلك.',
};

clause('AWI-ID3', 'a page that does not say its language is read for it', () => {
  for (const [language, text] of Object.entries(TEXTS)) {
    const { identity } = readPageDocument(`<main><p>${text}</p></main>`, 'https://a.example/', { economics: false });
    expect(identity.language).toBe(language);
  }
});

clause('AWI-ID3', 'what the page says counts before what it reads like', () => {
  const read = (html: string) => readPageDocument(html, 'https://a.example/', { economics: false }).identity.language;
  expect(read(`<html lang="nl"><p>${TEXTS.de}</p>`)).toBe('nl');
  expect(read(`<html lang="klingon!"><p>${TEXTS.de}</p>`)).toBe('de');
});

test.each([
  ['too little text', 'Jedes Konto hat Grenzen.'],
  [
    'names',
    '| Kim Lee | Anna Schmidt | Juan Perez | John Smith | Marie Dupont | Wei Zhang | Ivan Petrov | Sato Yuki | Olga Novak |',
  ],
  [
    'no language at all',
    'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. Ut enim ad minim veniam, quis nostrud.',
  ],
  ['several languages', [TEXTS.de, TEXTS.fr, TEXTS.pl].map((text) => `${text} `.repeat(4)).join('\n\n')],
  ['code alone', `\`\`\`\n${TEXTS.en}\n\`\`\``],
  ['addresses alone', 'https://docs.example/every/account/has/limits '.repeat(20)],
  ['figures', '1 2 3 4 5 6 7 8 9 '.repeat(50)],
  ['one word', 'word '.repeat(5)],
])('%s: no language', (_, markdown) => {
  expect(detectLanguage(markdown)).toBeUndefined();
});
