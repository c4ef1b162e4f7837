/** What the compiler says about ids and times; nothing of it runs. */
import { describe, expectTypeOf, it } from 'vitest';
import type { findConsent } from '../../src/consent/consents.js';
import type { statusAt } from '../../src/consent/lifecycle.js';
import type { BankTime, Clock, RealTime } from '../../src/lib/clock.js';
import type { AccountId, ClientId, ConsentId, PsuId } from '../../src/model/ids.js';

describe('ids', () => {
  it('of one kind are refused where another is expected; text from outside is not', () => {
    expectTypeOf<PsuId>().not.toExtend<ClientId>();
    expectTypeOf<ClientId>().not.toExtend<ConsentId>();
    expectTypeOf<ConsentId>().not.toExtend<AccountId>();
    expectTypeOf<AccountId>().not.toExtend<PsuId>();
    expectTypeOf<string>().toExtend<PsuId>();
    expectTypeOf<Parameters<typeof findConsent>[1]>().toEqualTypeOf<ConsentId>();
  });
});

describe('times', () => {
  it('of the machine are refused where the time of the bank is expected', () => {
    expectTypeOf<ReturnType<Clock['now']>>().toEqualTypeOf<RealTime>();
    expectTypeOf<RealTime>().not.toExtend<BankTime>();
    expectTypeOf<Parameters<typeof statusAt>[1]>().toEqualTypeOf<BankTime>();
  });
});
