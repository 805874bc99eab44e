/** The types in the options of a plugin, the same for every generator. */

export type { SignMessage } from '../codecs/tlog/crypto-functions.ts';
export type { AddressForm } from '../crawl/site-address.ts';
export type { LogSigner, ProjectionSettings } from '../dialects/projection-settings.ts';
export type { RiskRule, RiskWeights } from '../extract/risk/risk-rules.ts';
export type { Action, AnchorKind, Change, ChangeDraft, Hints, Kind, Provenance } from '../model/change.ts';
export type { CollectionSetting } from '../model/collection.ts';
export type { Extensions } from '../model/extensions.ts';
export type { GivenRules } from '../model/given-rules.ts';
export type { Uses } from '../model/uses.ts';
export type { ProduceOptions } from '../produce/produce-options.ts';
export type { PluginLines, PluginOptions } from './generator-plugin.ts';
export type { HttpOptions } from './open-http.ts';
export type { PublishOptions } from './publish.ts';
