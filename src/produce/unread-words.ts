import type { NoticeKind } from '../extract/notice-page.ts';
import type { Doubt } from './doubtful-page.ts';

/** Messages for a page that was sent but is not believed to be the real one. */
export const NO_TEXT = 'There is no text in it. Pages that scripts draw cannot be read.';
export const RULED_OUT = 'There is no text in it that the rules leave.';

export const DOUBTS: Readonly<Record<Doubt, string>> = {
  replaced: 'A few other words are in place of its text. They are believed when they stay for a day.',
  other: 'All of its text is another one. It is believed when it stays for a day.',
  cut: 'Its end is missing. It is believed when it stays so for a day.',
};

export const NOTICES: Readonly<Record<NoticeKind, string>> = {
  challenge: 'It asks whether we are human, in place of its text.',
  error: 'It says that its server has failed, with a status that says it has not.',
  login: 'It asks for a login, in place of its text.',
  maintenance: 'It says that the site is being maintained, in place of its text.',
  'not-found': 'It says that it is not there, with a status that says it is.',
  stub: 'It has a line or two that search engines are not to keep, in place of its text.',
};
