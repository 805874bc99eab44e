import { shorten } from '../primitives/shorten.ts';
import { isForbiddenBinding, NamespaceScope, ROOT_SCOPE } from '../primitives/xml-names.ts';
import { DocumentFlaw, FORM } from './issue.ts';
import { XLINK_NAMESPACE } from './wire.ts';

export interface ElementName {
  /** The name without its prefix. */
  readonly local: string;
  /** The namespace, or an empty string. */
  readonly uri: string;
}

export interface PiecesAttribute {
  /** As written; without a prefix it is in no namespace. An XLink title is {@link XLINK_TITLE}, whatever its prefix. */
  readonly name: string;
  readonly value: string;
}

export type PiecesAttributes = readonly PiecesAttribute[];

/** No attribute can have this name. */
export const XLINK_TITLE = `title ${XLINK_NAMESPACE}`;

/** How many names are cached, because a hostile document may use any number. */
const MAX_REMEMBERED = 64;

/** The meaning of element names within one element. Resolved names are cached: there are few, and they occur often. */
export class ElementScope {
  readonly #namespaces: NamespaceScope;
  readonly #names = new Map<string, ElementName>();

  constructor(namespaces: NamespaceScope = ROOT_SCOPE) {
    this.#namespaces = namespaces;
  }

  nameOf(written: string): ElementName {
    const known = this.#names.get(written);
    if (known !== undefined) return known;
    const { prefix, local } = qualifiedName(written);
    const name = { local, uri: uriOf(prefix, this.#namespaces) };
    if (this.#names.size < MAX_REMEMBERED) this.#names.set(written, name);
    return name;
  }

  /** The scope of a child element with these attributes. No two of them may have the same expanded name. */
  with(attributes: PiecesAttributes): ElementScope {
    const named = attributes.map(({ name, value }) => ({ name, value, ...qualifiedName(name) }));
    const bindings = new Map<string, string>();
    for (const { name, value, prefix, local } of named) {
      if (name !== 'xmlns' && prefix !== 'xmlns') continue;
      const bound = prefix === '' ? '' : local;
      if (isForbiddenBinding(bound, value)) throw malformedXml(`a declaration of "${name}" that is not allowed`);
      bindings.set(bound, value);
    }
    const namespaces = bindings.size === 0 ? this.#namespaces : new NamespaceScope(bindings, this.#namespaces);
    const prefixed = named.filter(({ prefix }) => prefix !== '' && prefix !== 'xmlns');
    const meanings = prefixed.map(({ prefix, local }) => `${local} ${uriOf(prefix, namespaces)}`);
    if (new Set(meanings).size < meanings.length) throw malformedXml('an attribute twice');
    return bindings.size === 0 ? this : new ElementScope(namespaces);
  }

  /** The attributes of an element in this scope, with an XLink title under its resolved name. */
  meant(attributes: PiecesAttributes): PiecesAttributes {
    return attributes.map((attribute) => {
      const { prefix, local } = qualifiedName(attribute.name);
      const isTitle = local === 'title' && prefix !== '' && this.#namespaces.uriOf(prefix) === XLINK_NAMESPACE;
      return isTitle ? { name: XLINK_TITLE, value: attribute.value } : attribute;
    });
  }
}

export function malformedXml(what: string): DocumentFlaw {
  return new DocumentFlaw(FORM, `It is not well-formed XML (${what}).`);
}

function qualifiedName(name: string): { readonly prefix: string; readonly local: string } {
  const colon = name.indexOf(':');
  if (colon === -1) return { prefix: '', local: name };
  const [prefix, local] = [name.slice(0, colon), name.slice(colon + 1)];
  if (prefix === '' || local === '' || local.includes(':')) throw malformedXml(`the name "${shorten(name)}"`);
  return { prefix, local };
}

function uriOf(prefix: string, namespaces: NamespaceScope): string {
  const uri = namespaces.uriOf(prefix);
  if (uri === undefined) throw malformedXml(`the prefix "${shorten(prefix)}" is not declared`);
  return uri;
}
