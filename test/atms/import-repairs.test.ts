/** The shared pipeline, member by member: what is repaired and reported, and what is refused. */
import { describe, expect, it } from 'vitest';
import { changesOf, faultsOf, importJson, importOne, plainRecord, recordWith } from './support.js';

const value = (member: string, written: unknown): unknown => {
  const [atm] = importOne({ [member]: written }).accepted;
  return atm && Object.entries(atm).find(([name]) => name === member)?.[1];
};
const address = (changes: Readonly<Record<string, unknown>>) =>
  importOne({ address: { ...plainRecord.address, ...changes } });

describe('a clean record', () => {
  it('passes unchanged, and nothing is reported', () => {
    const result = importOne({});
    expect(result).toMatchObject({ read: 1, refused: [], repaired: [] });
    expect(result.accepted).toEqual([plainRecord]);
  });
});

describe('texts', () => {
  it('lose blanks, line breaks and separate accents, and that is told', () => {
    expect(value('name', ' \u00A0Ελλάδα\t')).toBe('Ελλάδα');
    expect(changesOf(importOne({ name: ' x ' }))).toEqual(['name: had blanks around it']);
    expect(value('description', 'a\r\nb')).toBe('a b');
    expect(value('name', 'Ελλα\u0301δα')).toBe('Ελλάδα');
    expect(changesOf(importOne({ name: 'α\u0301' }))).toHaveLength(1);
  });

  it('that are blank become null, and numbers become text', () => {
    expect(value('name', '   ')).toBeNull();
    expect(changesOf(importOne({ name: '' }))).toEqual(['name: is blank; null instead']);
    expect(value('code', 42)).toBe('42');
    expect(changesOf(importOne({ code: 42 }))).toEqual(['code: is a number; written as text']);
  });

  it('that are too long are refused, never cut', () => {
    expect(
      faultsOf(importOne({ name: 'x'.repeat(257), code: 'x'.repeat(33), atmid: 'x'.repeat(33) })).sort(),
    ).toEqual([
      'atmid: is longer than 32 characters',
      'code: is longer than 32 characters',
      'name: is longer than 256 characters',
    ]);
    expect(importOne({ name: '😀'.repeat(256) }).refused).toEqual([]);
  });

  it.each([
    ['NUL', 'a\0b', /NUL/],
    ['half a surrogate pair', 'a\uD800', /surrogate/],
    ['an escape character', '\u001b[2J', /control character/],
    ['a list', ['a'], /not a text/],
    ['an object', { a: 1 }, /not a text/],
    ['true', true, /not a text/],
    ['a fraction', 1.5, /not a text/],
  ])('holding %s are refused in every member', (_, written, reason) => {
    for (const member of ['name', 'atmid', 'telephoneNumber', 'locationCategory', 'geographicLocation']) {
      expect(faultsOf(importOne({ [member]: written })).join()).toMatch(reason);
    }
    expect(faultsOf(importOne({ supportedLanguages: ['el', written] }))).toHaveLength(1);
    expect(faultsOf(address({ street: written })).join()).toMatch(reason);
    expect(faultsOf(address({ country: written })).join()).toMatch(reason);
  });
});

describe('lists', () => {
  it('lose empty and repeated entries', () => {
    expect(value('supportedLanguages', ['el', ' el ', '', null, 'en'])).toEqual(['el', 'en']);
  });

  it('stay empty when they are empty', () => {
    for (const member of ['supportedLanguages', 'atmServices', 'currency', 'accessibilityFeatures']) {
      expect(value(member, [])).toEqual([]);
      expect(importOne({ [member]: [] }).repaired).toEqual([]);
    }
  });

  it('that the contract demands become null when missing, and that is told', () => {
    for (const member of ['supportedLanguages', 'atmServices', 'currency']) {
      const result = importOne({ [member]: undefined });
      expect(result.accepted[0]).toMatchObject({ [member]: null });
      expect(changesOf(result)).toEqual([`${member}: is missing; null instead`]);
      expect(importOne({ [member]: null })).toMatchObject({ repaired: [], refused: [] });
    }
  });

  it('that are no lists are refused', () => {
    expect(faultsOf(importOne({ currency: 'EUR' }))).toEqual(['currency: is not a list']);
    expect(faultsOf(importOne({ atmServices: {} }))).toEqual(['atmServices: is not a list']);
  });

  it('keep the known services and features in the spelling of the contract, and drop the others', () => {
    expect(value('atmServices', ['cash withdrawal', 'PIN_CHANGE', 'Balance', 'balance', 'Coffee'])).toEqual([
      'CashWithdrawal',
      'PINChange',
      'Balance',
    ]);
    expect(value('accessibilityFeatures', ['LEVEL ACCESS', 'Escalator'])).toEqual(['LevelAccess']);
    expect(changesOf(importOne({ atmServices: ['Coffee', 'balance'] }))).toEqual([
      'atmServices: "Coffee" is not a value of the contract; dropped',
      'atmServices: "balance" is written Balance',
    ]);
  });

  it('of currencies are written in capitals, and refused when an entry is no code', () => {
    expect(value('currency', ['eur', 'EUR', 'usd'])).toEqual(['EUR', 'USD']);
    expect(faultsOf(importOne({ currency: ['EUR', 'euros'] }))).toEqual([
      'currency: "euros" is not an ISO 4217 code',
    ]);
  });
});

describe('the location category', () => {
  it('is matched without regard to case, blanks and underscores, and left out when unknown', () => {
    expect(value('locationCategory', 'BRANCH EXTERNAL')).toBe('BranchExternal');
    expect(value('locationCategory', 'Moon')).toBeUndefined();
    expect(value('locationCategory', null)).toBeUndefined();
    expect(changesOf(importOne({ locationCategory: 'Moon' }))).toEqual([
      'locationCategory: "Moon" is not a value of the contract; left out',
    ]);
    expect(changesOf(importOne({ locationCategory: null }))).toEqual([
      'locationCategory: has no value; left out',
    ]);
  });
});

describe('the country', () => {
  it.each([
    ['UK', 'GB'],
    ['uk', 'GB'],
    ['gr', 'GR'],
    ['EL', 'GR'],
    [' GB ', 'GB'],
  ])('%s is written %s', (written, code) => {
    const result = address({ country: written });
    expect(result.accepted[0]?.address.country).toBe(code);
    expect(changesOf(result).join()).toContain('address.country');
  });

  it('is refused when it is missing, blank or no code', () => {
    expect(faultsOf(address({ country: undefined }))).toEqual(['address.country: is missing']);
    expect(faultsOf(address({ country: ' ' }))).toContain('address.country: is missing');
    expect(faultsOf(address({ country: 'Greece' }))).toEqual([
      'address.country: "Greece" is not an ISO 3166 alpha-2 code',
    ]);
    expect(faultsOf(address({ country: 'ZZ' }))).toHaveLength(1);
    expect(faultsOf(importOne({ address: undefined }))).toEqual(['address: is missing']);
    expect(faultsOf(importOne({ address: 'Ερμού 1' }))).toEqual(['address: is not an object']);
  });

  it('may be null where somebody wrote null, as the contract says', () => {
    expect(address({ country: null })).toMatchObject({ refused: [], repaired: [] });
  });
});

describe('the telephone number', () => {
  it.each([
    ['+30 210 1234567', '+30-2101234567'],
    ['00302101234567', '+30-2101234567'],
    ['+302101234567', '+30-2101234567'],
    ['+44 (0)20 7946 0000', '+44-2079460000'],
    ['tel:+1-202-555-0100', '+1-2025550100'],
    ['+357 22 000000', '+357-22000000'],
    ['+30 210 1234567; +30 210 7654321', '+30-2101234567'],
  ])('%s is written %s', (written, number) => {
    const result = importOne({ telephoneNumber: written });
    expect(result.accepted[0]?.telephoneNumber).toBe(number);
    expect(changesOf(result).at(-1)).toContain(`is written ${number}`);
  });

  it('in the pattern of the contract stays as it is', () => {
    for (const number of ['+30-2101234567', '+30-(210)123-4567', '+1-2']) {
      expect(importOne({ telephoneNumber: number })).toMatchObject({ repaired: [], refused: [] });
    }
  });

  it.each([
    '210 1234567',
    '+30 210 ABC',
    '+30',
    '+0012345678',
    '6900000000',
    'none',
    '+30 210 1234567 ext. 5',
    '+1234567890123456',
  ])('%s is not certain: null instead, and that is told', (written) => {
    const result = importOne({ telephoneNumber: written });
    expect(result.accepted[0]?.telephoneNumber).toBeNull();
    expect(changesOf(result).at(-1)).toMatch(/null instead$/);
  });

  it('becomes null when missing, and that is told', () => {
    expect(changesOf(importOne({ telephoneNumber: undefined }))).toEqual([
      'telephoneNumber: is missing; null instead',
    ]);
    expect(importOne({ telephoneNumber: null })).toMatchObject({ repaired: [], refused: [] });
  });
});

describe('the location', () => {
  it.each([
    ['1,2', '1.0,2.0'],
    [' 37.5 , 23.5 ', '37.5,23.5'],
    ['37.123456789,-23.1', '37.12345679,-23.1'],
    ['+37.5,23.', '37.5,23.0'],
    ['-0.000000001,1.0', '0.0,1.0'],
  ])('%s is written %s', (written, location) => {
    const result = importOne({ geographicLocation: written });
    expect(result.accepted[0]?.geographicLocation).toBe(location);
    expect(changesOf(result)).not.toEqual([]);
  });

  it('in the pattern of the contract keeps its final zeros', () => {
    expect(importOne({ geographicLocation: '37.90000000,-23.50' })).toMatchObject({
      repaired: [],
      refused: [],
    });
    expect(value('geographicLocation', '90.0,180.0')).toBe('90.0,180.0');
  });

  it.each(['91.0,1.0', '1.0,180.1', '1.0', 'a,b', '1.0,2.0,3.0', '1e1,2.0', '37.5,', '0x1,2'])(
    '%s is refused',
    (written) => {
      expect(faultsOf(importOne({ geographicLocation: written }))).not.toEqual([]);
    },
  );

  it('0,0 stands for unknown and is left out', () => {
    const result = importOne({ geographicLocation: '0.0,0.0' });
    expect(result.accepted[0]).not.toHaveProperty('geographicLocation');
    expect(changesOf(result)).toEqual(['geographicLocation: is 0,0, which stands for unknown; left out']);
  });

  it('as an object is not of the contract', () => {
    expect(faultsOf(importOne({ geographicLocation: { latitude: 1, longitude: 2 } }))).toEqual([
      'geographicLocation: is not a text',
    ]);
  });
});

describe('the ids', () => {
  it('in capitals are written small', () => {
    const result = importOne({ id: plainRecord.id.toUpperCase() });
    expect(result.accepted[0]?.id).toBe(plainRecord.id);
    expect(result.repaired).toHaveLength(1);
  });

  it("that are malformed are refused in the contract's own shape; a missing one is made from the atmid", () => {
    for (const id of ['17', '', `${plainRecord.id}0`, 17, {}]) {
      expect(faultsOf(importOne({ id }))[0]).toMatch(/^id: .* is not a UUID$/);
    }
    const result = importOne({ id: undefined });
    expect(changesOf(result)).toEqual(['id: is missing; made from atmid']);
    expect(importOne({ id: undefined }).accepted[0]?.id).toBe(result.accepted[0]?.id);
    expect(importOne({ id: undefined, atmid: 'other' }).accepted[0]?.id).not.toBe(result.accepted[0]?.id);
  });

  it('atmid is refused when missing or blank; null is kept only beside an id', () => {
    expect(faultsOf(importOne({ atmid: undefined }))).toEqual(['atmid: is missing']);
    expect(faultsOf(importOne({ atmid: ' ' }))).toEqual(['atmid: is missing']);
    expect(importOne({ atmid: null })).toMatchObject({ refused: [], repaired: [] });
    expect(faultsOf(importOne({ atmid: null, id: null }))).toEqual([
      'id: is missing, and without an atmid none can be made',
    ]);
  });

  it('that repeat are refused the second time, whatever their case, and also after a refused record', () => {
    const twice = importJson([
      recordWith({}),
      recordWith({ id: plainRecord.id.toUpperCase(), atmid: 'x' }),
      recordWith({}),
    ]);
    expect(twice.accepted).toHaveLength(1);
    expect(faultsOf(twice, 2)).toEqual(['id: is the same as in record 1']);
    expect(faultsOf(twice, 3)).toEqual(['id: is the same as in record 1']);
    const afterRefused = importJson([recordWith({ name: 'x'.repeat(300) }), recordWith({})]);
    expect(afterRefused.accepted).toEqual([]);
  });
});

describe('unknown members', () => {
  it("are refused in the contract's own shape, also those with dangerous names", () => {
    const text = JSON.stringify([plainRecord]).replace('{', '{"__proto__":{"polluted":1},"constructor":1,');
    expect(faultsOf(importJson(text))).toEqual([
      '__proto__: is not a member of the contract',
      'constructor: is not a member of the contract',
    ]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
