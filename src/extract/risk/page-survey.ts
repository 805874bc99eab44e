import { decodeEntities } from './decode-entities.ts';
import { MetadataTexts, withoutTags } from './metadata-texts.ts';
import type { OpenTag } from './open-tag.ts';
import { type HtmlSink, scanHtml } from './scan-html.ts';
import type { TagName } from './tag-names.ts';
import { isSuspicious, TextSurvey } from './text-survey.ts';

/**
 * Whether the source of a page holds anything that is to be examined. Most pages do not, and are looked at no further: all texts
 * are read as one here, whoever sees them. What stands more than some dozens of words behind each other is no passage, also where
 * the words between are hidden.
 */
export function isSuspiciousPage(html: string): boolean {
  const survey = new PageSurvey(html);
  scanHtml(html, survey);
  return survey.isSuspicious();
}

class PageSurvey implements HtmlSink {
  private readonly html: string;
  private readonly texts = new TextSurvey();
  private readonly metadata = new MetadataTexts();
  private hasRoleMark = false;
  private foreignDepth = 0;
  /** Of the script or style that is open. */
  private raw: TagName | undefined;
  private scriptType = '';
  private nextEntity: number;

  constructor(html: string) {
    this.html = html;
    this.nextEntity = html.indexOf('&');
  }

  onText(start: number, end: number): void {
    if (this.raw?.part === 'script') this.metadata.takeScript(this.scriptType, this.html.slice(start, end));
    else if (this.raw?.part === 'style') this.metadata.takeSheet(this.html.slice(start, end));
    else if (this.hasEntity(start, end)) this.texts.read(decodeEntities(this.html.slice(start, end)));
    else this.texts.read(this.html, start, end);
    this.raw = undefined;
  }

  onOpenTag(tag: OpenTag): void {
    const { name } = tag;
    this.metadata.takeAttributes(tag);
    if (name.isBlock || name.isRaw) this.texts.breakWord();
    if (name.isRoleMark) this.hasRoleMark = true;
    if (name.isForeign && !tag.isSelfClosing) this.foreignDepth += 1;
    this.raw = name.isRaw ? name : undefined;
    if (name.part === 'script') this.scriptType = tag.find('type') ?? '';
  }

  onCloseTag(name: TagName): void {
    if (name.isBlock) this.texts.breakWord();
    if (name.isForeign && this.foreignDepth > 0) this.foreignDepth -= 1;
    this.raw = undefined;
  }

  onComment(start: number, end: number): void {
    this.metadata.take(withoutTags(this.html.slice(start, end)));
  }

  get isDone(): boolean {
    return this.hasRoleMark || this.texts.isSure;
  }

  isInForeign(): boolean {
    return this.foreignDepth > 0;
  }

  isSuspicious(): boolean {
    return this.hasRoleMark || this.texts.isSuspicious() || isSuspicious(this.metadata.text());
  }

  private hasEntity(start: number, end: number): boolean {
    if (this.nextEntity >= 0 && this.nextEntity < start) this.nextEntity = this.html.indexOf('&', start);
    return this.nextEntity >= 0 && this.nextEntity < end;
  }
}
