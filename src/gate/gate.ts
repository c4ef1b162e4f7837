/**
 * What every call passes before its handler, in this order; the first check that fails answers. The stages that only a
 * handler can know (lookup, consent state, currency, core) follow in the operation's own file.
 */
import type { Config } from '../config/config.js';
import type { Exchange } from '../http/exchange.js';
import type { Load } from '../http/listeners/load.js';
import type { Stage, Target } from '../http/server.js';
import { Problem } from '../problem/problem.js';
import { type CredentialParts, checkKey, checkPermission, checkQuota, checkToken } from './credentials.js';
import type { Maintenance } from './maintenance.js';
import {
  checkAccept,
  checkBody,
  checkContentType,
  checkHeadersAndQuery,
  checkRepeatedHeaders,
  checkSize,
  readWholeBody,
} from './message.js';
import { checkRegistrant, checkRegistrationLimit, type RegistrantParts } from './registrant.js';
import { type RequestIds, useOf } from './request-ids.js';
import { checkBinding, checkClientCertificate, type SenderParts } from './sender.js';
import {
  asksCertificate,
  checkDigest,
  checkSignature,
  isSignable,
  type SignatureParts,
} from './signature.js';

export interface GateParts
  extends CredentialParts,
    SenderParts,
    SignatureParts,
    Pick<RegistrantParts, 'isVouched'> {
  readonly config: Config;
  readonly load: Load;
  readonly requestIds: RequestIds;
  readonly maintenance: Pick<Maintenance, 'check'>;
}

type Check = Stage['check'];
type Gate = (target: Target) => readonly Stage[];

/** By seconds to wait. Made once: they are thrown when there is least time. */
const overloaded: Problem[] = [];
const overloadedFor = (seconds: number): Problem => {
  overloaded[seconds] ??= new Problem('overloaded', { headers: { 'Retry-After': String(seconds) } });
  return overloaded[seconds];
};

export const checkLoad =
  ({ load }: Pick<GateParts, 'load'>): Check =>
  (exchange) => {
    if (load.draining) throw new Problem('draining');
    if (load.isTooMuch(exchange.sharer)) throw overloadedFor(load.retryAfterSeconds);
  };

const checkPath: Check = (exchange) => {
  if (!exchange.operation && exchange.allowed.length === 0) throw new Problem('route-not-found');
};

const checkMethod: Check = (exchange) => {
  if (!exchange.operation)
    throw new Problem('method-not-allowed', { headers: { Allow: exchange.allowed.join(', ') } });
};

const checkRequestId =
  ({ requestIds }: GateParts): Check =>
  (exchange: Exchange) =>
    requestIds.check(useOf(exchange));

/** The table. An operation's list leaves out the stages that have nothing to check. */
export const createGate = (parts: GateParts): Gate => {
  const { config } = parts;
  const size: Stage = { name: 'message size', check: checkSize(config) };
  const load: Stage = { name: 'load', check: checkLoad(parts) };
  const open: Stage = { name: 'maintenance', check: (exchange) => parts.maintenance.check(exchange) };
  const repeated: Stage = { name: 'repeated header', check: checkRepeatedHeaders };
  const always: readonly Stage[] = [
    size,
    load,
    open,
    { name: 'path', check: checkPath },
    { name: 'method', check: checkMethod },
  ];
  const credentials: readonly Stage[] = [
    { name: 'subscription key', check: checkKey(parts) },
    { name: 'quota', check: checkQuota(parts) },
    { name: 'token', check: checkToken(parts) },
    { name: 'client certificate', check: checkClientCertificate(parts) },
    { name: 'token binding', check: checkBinding(parts) },
    { name: 'permission', check: checkPermission },
  ];
  return (operation) => {
    if (operation === 'page') return [size, load, open, repeated];
    // A request that leads nowhere is refused by `path` or `method` at the latest.
    if (!operation) return always;
    const checkContent = checkBody(operation);
    const isSigned = isSignable(operation);
    const registers = asksCertificate(operation);
    return [
      ...always,
      repeated,
      ...(typeof operation.area === 'string' ? credentials : []),
      ...(registers ? [{ name: 'registration limit', check: checkRegistrationLimit(parts) }] : []),
      { name: 'accept', check: checkAccept },
      { name: 'content type', check: checkContentType },
      { name: 'headers and query', check: checkHeadersAndQuery(operation) },
      ...(registers
        ? [{ name: 'registrant', check: checkRegistrant(operation, parts) }]
        : isSigned
          ? [{ name: 'signature', check: checkSignature(operation, parts) }]
          : []),
      { name: 'body', check: readWholeBody(config, operation) },
      ...(isSigned ? [{ name: 'digest', check: checkDigest }] : []),
      ...(checkContent ? [{ name: 'content', check: checkContent }] : []),
      // If a repetition is evaluated again, the handler claims the id with its record.
      ...(operation.repeat === 'replayed' ? [{ name: 'request id', check: checkRequestId(parts) }] : []),
    ];
  };
};
