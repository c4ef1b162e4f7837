/** What everything is built with: operations, problems, the store, ids, times, amounts. */
export { type Config, ConfigError, readConfig, settings } from '../config/config.js';
export type { Inbound } from '../gate/guard/source-limit.js';
export { nearest } from '../gate/nearest.js';
export { hasBody, readBody } from '../http/body.js';
export type { Mount } from '../http/exchange.js';
export { parseJson } from '../http/json.js';
export { likelyProblems } from '../http/likely-problems.js';
export {
  type Call,
  type Field,
  type OpenArea,
  type Operation,
  operation,
  type Reply,
} from '../http/operation.js';
export { problemSlugs, sampleProblem } from '../http/problem-schema.js';
export { createRouter, pathOf } from '../http/router.js';
export { type Validator, validator } from '../http/validate.js';
export {
  type BankTime,
  type Clock,
  DAY,
  HOUR,
  MINUTE,
  monotonicMs,
  type RealTime,
  SECOND,
  systemClock,
} from '../lib/clock.js';
export { dateAt, dayBefore, endOfDay, startOfDay } from '../lib/day.js';
export { JsonFault, parseStrictJson } from '../lib/format/strict-json.js';
export { sha256 } from '../lib/hash.js';
export { derivedId, isUuid, newId, newSecret } from '../lib/id.js';
export { instantText, isDate, parseInstant } from '../lib/instant.js';
export type { Source } from '../lib/net/address.js';
export { guardSockets } from '../lib/net/connection.js';
export { derivedKey, hashPassphrase, isEqual, isOutdated, isPassphrase } from '../lib/passphrase.js';
export { retryAfter } from '../lib/rate-limit.js';
export { headerText, webAddress, whole } from '../lib/setting.js';
export type { Eventual } from '../lib/turn.js';
export type { Vault } from '../lib/vault.js';
export { normalBban, normalIban, normalMsisdn } from '../model/account-reference.js';
export { decimalsOf, decimalText, fromMinor, minorOf } from '../model/amount.js';
export { type Access, areasOfRoles, type Role, scopeOf, scopes } from '../model/caller.js';
export type { AccountId, ClientId, ConsentId, PsuId } from '../model/ids.js';
export type { Price } from '../model/payment-terms.js';
export { exchanged, type Quote, quoteOf } from '../model/quote.js';
export { isIbanInSepa } from '../model/sepa.js';
export { policyFor, type SignaturePolicy, signaturePolicies } from '../model/signature-policy.js';
export { fieldFault, isNoneOf, sentencesOf } from '../problem/field.js';
export { fieldProblem, Problem, type ProblemSlug, problems } from '../problem/problem.js';
export { type Db, type Queries, StoreUnavailable, type Value } from '../store/db.js';
export { jsonColumn, listOf, members, text, whole as wholeNumber } from '../store/json-column.js';
export { extensionOf, markExtension, migrate } from '../store/migrate.js';
export { openDb } from '../store/open.js';
export { makePrivateFolder, writePrivately } from '../store/private-files.js';
export { RecentTimes, type TimeSource } from '../store/recent-times.js';
export type { SealedKind } from '../store/sealed-rows.js';
export { putSetting, readSetting, removeSetting, replaceSetting } from '../store/settings.js';
export { version } from '../version.js';
