/** Signed requests through the front door: what is accepted, and every way of spoiling one with the answer it gets. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { BUDGET, CARD, FUNDS, fundsBody, paymentPath, statusPath } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import {
  callWith,
  digestOf,
  getSeal,
  type Plain,
  type Seal,
  type Spoil,
  setPolicy,
  signed,
  verdict,
} from './support.js';

let ec: Seal;
let rsa: Seal;
let foreign: Seal;
const service = useService({}, async (made) => {
  [ec, rsa, foreign] = await Promise.all([
    getSeal(made),
    getSeal(made, { key: 'rsa' }),
    getSeal(made, { application: BUDGET }),
  ]);
});

const body = JSON.stringify(fundsBody());
const funds: Plain = { method: 'POST', path: FUNDS, body };

const ask = async (seal: Seal, plain: Plain = funds, spoil: Spoil = {}, more: Record<string, string> = {}) =>
  verdict(await callWith(service(), plain, { ...signed(seal, plain, spoil), ...more }));

describe('smoke', () => {
  it('accepts', async () => {
    expect(await ask(ec)).toBe('200');
    expect(await ask(rsa)).toBe('200');
    expect(await ask(rsa, funds, { algorithm: 'rsa-sha512' })).toBe('200');
    expect(await ask(foreign)).toBe('401 certificate-invalid CERTIFICATE_INVALID certificate-organisation');
  });
});
