/** Who may bear the charges of a transfer. */
import { expect, it } from 'vitest';
import { bearersOf, chargeBearers, isIbanInSepa } from '../../src/model/sepa.js';

const german = { iban: 'de89 3704 0044 0532 0130 00' };
const turkish = { iban: 'TR330006100519786457841326' };
const numbered = { bban: '123456789' };
const agent = (country: string) => ({ name: 'A bank', country });

it.each([
  ['domestic', 'EUR', german, undefined, ['sha']],
  ['international', 'EUR', german, undefined, ['sha']],
  ['domestic', 'EUR', numbered, undefined, ['sha']],
  ['international', 'EUR', numbered, agent('FR'), ['sha']],
  ['international', 'EUR', numbered, agent('US'), chargeBearers],
  ['international', 'EUR', numbered, undefined, chargeBearers],
  ['domestic', 'EUR', turkish, undefined, chargeBearers],
  ['international', 'EUR', turkish, undefined, chargeBearers],
  ['international', 'USD', german, undefined, chargeBearers],
] as const)(
  'of a transfer %s in %s to %j at %j',
  (product, currency, creditAccount, creditorAgent, allowed) => {
    expect(bearersOf({ product, currency, creditAccount, creditorAgent })).toEqual(allowed);
  },
);

it('an account without IBAN is neither inside of the area nor outside', () => {
  expect([german, turkish, numbered].map(isIbanInSepa)).toEqual([true, false, undefined]);
});
