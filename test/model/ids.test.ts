/** What the compiler says about ids; nothing of it runs. */
import { describe, expectTypeOf, it } from 'vitest';
import type { findConsent } from '../../src/consent/consents.js';
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
