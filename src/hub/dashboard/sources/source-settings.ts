import type { SourceConfig } from '../../config/source-config.ts';
import { type Html, type HtmlHole, html, NO_HTML, outsideText } from '../../http/html.ts';
import { SELF_SERVICE } from '../../keys/self-service-owner.ts';
import { outside } from '../changes/change-line.ts';
import type { SourceSettings } from './source-facts.ts';

const MAX_WORDS = 500;
const MAX_LISTED = 50;

function ownerText(owner: string | undefined): Html {
  if (owner === undefined) return NO_HTML;
  return owner === SELF_SERVICE
    ? html` A visitor of the hub asked for it.`
    : html` It belongs to the API key <code>${outsideText(owner)}</code>.`;
}

/** The settings by its operator, and the notes of the last check: for people who are signed in. */
export function settingsSection({ origin, owner, config, notes, error, allowDeletes }: SourceSettings): Html {
  return html`<section id="settings">
<h2>Settings</h2>
<p>${origin === 'config' ? 'It stands in the config file of the hub, and is changed there.' : 'It was added here or over the API.'}${ownerText(owner)}${allowDeletes ? ' The next check may take much for gone.' : ''}</p>
<dl class="facts">
${Object.entries(shownSettings(config)).map(([name, value]) => html`<dt>${name}</dt><dd>${settingValue(value)}</dd>\n`)}</dl>
${error === undefined ? NO_HTML : html`<h3>Last error</h3>\n<p>${outsideText(error, MAX_WORDS)}</p>\n`}${notes.length === 0 ? NO_HTML : html`<h3>Notes of the last check</h3>\n<ul>\n${notes.map((note) => html`<li>${outsideText(note, MAX_WORDS)}</li>\n`)}</ul>`}
</section>`;
}

/** Without what is at the top of the page. */
function shownSettings({ id: _id, kind: _kind, title: _title, ...rest }: SourceConfig): object {
  return rest;
}

function settingValue(value: unknown): HtmlHole {
  if (!Array.isArray(value)) return oneValue(value);
  const shown = value.slice(0, MAX_LISTED).map((one) => html`<p>${oneValue(one)}</p>`);
  const left = value.length - MAX_LISTED;
  return left > 0 ? [...shown, html`<p class="faint">and ${left.toLocaleString('en')} more</p>`] : shown;
}

function oneValue(value: unknown): Html {
  const words = String(value);
  return /^https?:/.test(words) ? outside(words) : html`<code>${outsideText(words, MAX_WORDS)}</code>`;
}
